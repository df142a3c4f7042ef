// Profile's functions, and check_profile: lengths, ids in range, references, order, nesting, and agreement between tables.
#include "model/profile.h"

#include <algorithm>
#include <array>
#include <set>
#include <type_traits>
#include <utility>

#include "base/message_parts.h"

namespace sightline::model {

Profile::Profile() = default;
Profile::Profile(Profile&&) noexcept = default;
Profile& Profile::operator=(Profile&&) noexcept = default;
Profile::~Profile() = default;

void Profile::add_problem(Severity severity, std::string_view code, const TemplateMessage& text, std::int64_t count,
                          std::int64_t offset) {
  const Message& message = text.message;
  problems.severity.push_back(severity);
  problems.code.push_back(strings.intern(code));
  problems.message.push_back(strings.intern(message));
  const bool plain = message.kind() == Message::Kind::text;
  problems.parts.push_back(plain ? StringId::none : strings.intern(message_parts(message)));
  problems.count.push_back(count);
  problems.offset.push_back(offset);
}

Message Profile::problem(Row row) const {
  const StringId parts = problems.parts[row];
  return parts == StringId::none ? Message(text(problems.message[row])) : message_of(text(parts));
}

bool is_replayed(const Profile& profile, Row slice) {
  const Column<Row>& replayed = profile.replayed_ranges.slice;
  return profile.slices.duration[slice] == 0 && std::binary_search(replayed.begin(), replayed.end(), slice);
}

std::string_view metadata_value(const Profile& profile, std::string_view key) {
  const StringId id = profile.strings.find(key);
  if (id == StringId::none) return {};
  for (std::size_t i = 0; i < profile.metadata.rows(); ++i) {
    if (profile.metadata.key[i] == id) return profile.text(profile.metadata.value[i]);
  }
  return {};
}

// ---- checks ----

namespace {

class Checker {
 public:
  Checker(const Profile& profile, std::size_t most) : p_(profile), most_(most) {}

  std::vector<std::string> run() {
    Profile::visit_tables(p_, [this](const auto& table) { rows_of(table.kId) = table.rows(); });
    Profile::visit_tables(p_, [this](const auto& table) { check_columns(table); });
    if (broken_.empty()) {  // the rest reads columns side by side, and follows references
      check_lanes();
      check_slices();
      check_side_tables();
      check_program_tables();
      Profile::visit_tables(p_, [this](const auto& table) { check_order(table); });
      if (p_.span_end < p_.span_start) fail("profile", 0, "the span ends before it starts");
    }
    return std::move(broken_);
  }

 private:
  void fail(std::string_view table, std::size_t row, std::string_view what) {
    if (broken_.size() < most_) broken_.push_back(std::string(table) + " row " + std::to_string(row) + ": " + std::string(what));
  }

  // Equal lengths; strings and rows that exist.
  template <typename Table>
  void check_columns(const Table& table) {
    table.for_each_column([&](const ColumnInfo& info, const auto& column) {
      using Value = typename std::decay_t<decltype(column)>::value_type;
      if (column.size() != table.rows())
        fail(Table::kName, column.size(), std::string(info.name) + " has another length than the table");
      if constexpr (std::is_same_v<Value, StringId>) {
        const std::size_t strings = p_.strings.size();
        check_values(Table::kName, info, column, "names no string",
                     [=](StringId id) { return static_cast<std::size_t>(id) < strings; });
      } else if constexpr (std::is_same_v<Value, Row>) {
        check_references(Table::kName, info, column);
      }
    });
  }

  void check_references(std::string_view table, const ColumnInfo& info, const Column<Row>& column) {
    const auto [to, refers] = *info.reference;
    const std::size_t rows = rows_of(to) + (refers == Refers::or_end ? 1 : 0);
    const bool or_none = refers == Refers::or_none;
    check_values(table, info, column, "is not a row of " + std::string(table_name(to)),
                 [=](Row row) { return row < rows || (or_none && row == kNoRow); });
  }

  // Counts first: a loop without branches.
  template <typename Value, typename IsSound>
  void check_values(std::string_view table, const ColumnInfo& info, const Column<Value>& column, std::string_view wrong,
                    const IsSound& is_sound) {
    if (std::ranges::count_if(column, is_sound) == std::ranges::ssize(column)) return;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (!is_sound(column[i])) fail(table, i, std::string(info.name) + " " + std::string(wrong));
    }
  }

  void check_lanes() {
    Row next = 0;
    for (std::size_t i = 0; i < p_.lanes.rows(); ++i) {
      if (p_.lanes.first[i] != next || p_.lanes.last[i] < p_.lanes.first[i])
        fail("lanes", i, "its slices do not follow those of the lane before");
      next = p_.lanes.last[i];
      const Row main = p_.lanes.overflow_of[i];
      if (main == kNoRow) continue;
      if (main >= i) fail("lanes", i, "its main lane does not come before it");
      if (p_.lanes.overflow_of[main] != kNoRow) fail("lanes", i, "its main lane is an overflow lane");
    }
    if (next != p_.slices.rows()) fail("lanes", p_.lanes.rows(), "the lanes do not cover all slices");
  }

  void check_slices() {
    const Slices& s = p_.slices;
    for (std::size_t i = 0; i < s.rows(); ++i) {
      if (s.duration[i] < 0) fail("slices", i, "negative duration");
      if (i < p_.lanes.first[s.lane[i]] || i >= p_.lanes.last[s.lane[i]]) fail("slices", i, "is not among its lane's rows");
      check_parent(i);
    }
  }

  void check_parent(std::size_t i) {
    const Slices& s = p_.slices;
    const Row parent = s.parent[i];
    if (parent == kNoRow) {
      if (s.depth[i] != 0) fail("slices", i, "has depth but no parent");
      return;
    }
    if (parent >= i || s.lane[parent] != s.lane[i]) {
      fail("slices", i, "parent does not come before it on its lane");
      return;
    }
    if (s.start[parent] > s.start[i] || p_.end_of(parent) < p_.end_of(static_cast<Row>(i)))
      fail("slices", i, "is not inside its parent");
    if (s.depth[i] != 65535 && s.depth[i] != s.depth[parent] + 1) fail("slices", i, "depth is not its parent's plus one");
  }

  void check_owner(std::string_view table, std::size_t row, Row owner, OwnerRule rule) {
    if ((owner == kNoRow) != (rule == OwnerRule::none)) fail(table, row, "owner and rule disagree");
  }

  void check_side_tables() {
    for (std::size_t i = 0; i < p_.launches.rows(); ++i) check_owner("launches", i, p_.launches.owner[i], p_.launches.rule[i]);
    for (std::size_t i = 0; i < p_.device_work.rows(); ++i) {
      check_owner("device_work", i, p_.device_work.owner[i], p_.device_work.rule[i]);
      if (!is_device_work(p_.slices.kind[p_.device_work.slice[i]])) fail("device_work", i, "slice is not device work");
    }
    const auto is_part = [](std::int32_t ps) { return ps >= -1 && ps < 1000; };  // -1: unknown
    for (std::size_t i = 0; i < p_.fine_times.rows(); ++i) {
      if (!is_part(p_.fine_times.start[i]) || !is_part(p_.fine_times.duration[i])) fail("fine_times", i, "is a ns or more");
    }
  }

  // An operator comes before the operators that were fused into it, so a chain of them never forms a cycle.
  void check_program_tables() {
    const Column<Row>& into = p_.program_operators.fused_into;
    for (std::size_t i = 0; i < into.size(); ++i) {
      if (into[i] != kNoRow && into[i] >= i)
        fail("program_operators", i, "is fused into an operator that does not come before it");
    }
  }

  // The first key in which two consecutive rows differ decides whether their order is valid.
  template <typename Table>
  void check_order(const Table& table) {
    check_groups(table);
    for (std::size_t i = 1; i < table.rows(); ++i) {
      bool decided = false;
      table.for_each_key([&](const KeyInfo& key, const auto& column) {
        if (decided) return;
        const auto before = column[i - 1], value = column[i];
        decided = before != value || key.order == Order::once;
        if (decided && !may_follow(key.order, before, value)) fail(Table::kName, i, std::string(key.column) + " is out of order");
      });
    }
  }

  template <typename Value>
  static bool may_follow(Order order, Value before, Value value) {
    switch (order) {
      case Order::grouped: return true;  // see check_groups
      case Order::descending: return before >= value;
      case Order::ascending: return before <= value;
      case Order::once: break;
    }
    return before < value;
  }

  // The rows of a group are consecutive.
  template <typename Table>
  void check_groups(const Table& table) {
    std::set<std::vector<std::int64_t>> seen;
    std::vector<std::int64_t> group, before;
    for (std::size_t i = 0; i < table.rows(); ++i, before.swap(group)) {
      group.clear();
      table.for_each_key([&](const KeyInfo& key, const auto& column) {
        if (key.order == Order::grouped) group.push_back(static_cast<std::int64_t>(column[i]));
      });
      if (group.empty()) return;
      if (group != before && !seen.insert(group).second)
        fail(Table::kName, i, "is apart from the others of its " + group_words(table));
    }
  }

  template <typename Table>
  static std::string group_words(const Table& table) {
    std::string words;
    table.for_each_key([&](const KeyInfo& key, const auto&) {
      if (key.order == Order::grouped) words.append(words.empty() ? "" : " and ").append(key.column);
    });
    return words;
  }

  std::size_t& rows_of(TableId table) { return rows_[static_cast<std::size_t>(table)]; }

  const Profile& p_;
  std::size_t most_;
  std::array<std::size_t, std::size(kTableNames)> rows_{};  // by table
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> check_profile(const Profile& profile, std::size_t most) { return Checker(profile, most).run(); }

}  // namespace sightline::model
