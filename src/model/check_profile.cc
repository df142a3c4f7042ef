// check_profile: lengths, ids in range, references, order, nesting, and agreement between tables.
#include "model/check_profile.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sightline {

namespace {

enum class Refers : std::uint8_t {
  always,     // to a row
  or_none,    // to a row, or it is kNoRow
  as_a_bound  // to a row, or one past the last
};

// What each column of rows refers to. A column that is missing here is itself reported as broken.
struct Reference {
  std::string_view table, column, to;
  Refers refers = Refers::always;
};

constexpr Reference kReferences[] = {
    {"lanes", "process", "processes", Refers::or_none},
    {"lanes", "overflow_of", "lanes", Refers::or_none},
    {"lanes", "first", "slices", Refers::as_a_bound},
    {"lanes", "last", "slices", Refers::as_a_bound},
    {"slices", "lane", "lanes"},
    {"slices", "parent", "slices", Refers::or_none},
    {"operators", "slice", "slices"},
    {"modules", "slice", "slices"},
    {"launches", "slice", "slices"},
    {"launches", "owner", "slices", Refers::or_none},
    {"device_work", "slice", "slices"},
    {"device_work", "launch", "launches", Refers::or_none},
    {"device_work", "owner", "slices", Refers::or_none},
    {"work_facts", "slice", "slices"},
    {"work_costs", "slice", "slices"},
    {"fine_times", "slice", "slices"},
    {"program_operators", "fused_into", "program_operators", Refers::or_none},
    {"program_work", "slice", "slices"},
    {"program_work", "program_operator", "program_operators"},
    {"reported_program_work", "program_operator", "program_operators"},
    {"program_buffers", "program_operator", "program_operators", Refers::or_none},
    {"collectives", "slice", "slices"},
    {"steps", "slice", "slices", Refers::or_none},
    {"memory_events", "lane", "lanes", Refers::or_none},
    {"communications", "slice", "slices", Refers::or_none},
    {"transfers", "communication", "communications", Refers::or_none},
    {"packets", "transfer", "transfers"},
    {"flows", "from", "slices"},
    {"flows", "to", "slices"},
    {"counters", "lane", "lanes"},
};

class Checker {
 public:
  Checker(const Profile& profile, std::size_t most) : p_(profile), most_(most) {}

  std::vector<std::string> run() {
    Profile::visit_tables(p_, [this](const auto& table) { rows_[table.kName] = table.rows(); });
    Profile::visit_tables(p_, [this](const auto& table) { check_columns(table); });
    if (broken_.empty()) {  // the rest reads columns side by side, and follows references
      check_lanes();
      check_slices();
      check_side_tables();
      check_program_tables();
      check_orders();
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
        for (std::size_t i = 0; i < column.size(); ++i) {
          if (static_cast<std::size_t>(column[i]) >= p_.strings.size())
            fail(Table::kName, i, std::string(info.name) + " names no string");
        }
      } else if constexpr (std::is_same_v<Value, Row>) {
        check_references(Table::kName, info.name, column);
      }
    });
  }

  void check_references(std::string_view table, std::string_view name, const Column<Row>& column) {
    const auto declared =
        std::ranges::find_if(kReferences, [&](const Reference& r) { return r.table == table && r.column == name; });
    if (declared == std::end(kReferences)) return fail(table, 0, std::string(name) + " refers to a table that is not declared");
    const std::size_t rows = rows_.at(declared->to) + (declared->refers == Refers::as_a_bound ? 1 : 0);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] == kNoRow && declared->refers == Refers::or_none) continue;
      if (column[i] >= rows) fail(table, i, std::string(name) + " does not exist");
    }
  }

  // Whether the keys of the rows ascend; `strictly`: no two are equal.
  template <typename Key>
  void check_ascends(std::string_view table, std::size_t rows, Key&& key, bool strictly = false) {
    for (std::size_t i = 1; i < rows; ++i) {
      if (strictly ? !(key(i - 1) < key(i)) : key(i) < key(i - 1)) fail(table, i, "out of order");
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
      if (main >= i) fail("lanes", i, "it relieves a lane that does not come before it");
      if (p_.lanes.overflow_of[main] != kNoRow) fail("lanes", i, "it relieves a lane that relieves another");
    }
    if (next != p_.slices.rows()) fail("lanes", p_.lanes.rows(), "the lanes do not cover all slices");
  }

  void check_slices() {
    const Slices& s = p_.slices;
    for (std::size_t i = 0; i < s.rows(); ++i) {
      if (s.duration[i] < 0) fail("slices", i, "negative duration");
      if (i < p_.lanes.first[s.lane[i]] || i >= p_.lanes.last[s.lane[i]]) fail("slices", i, "is not among its lane's rows");
      if (i > 0 && s.lane[i] == s.lane[i - 1]) {
        if (s.start[i] < s.start[i - 1] || (s.start[i] == s.start[i - 1] && s.duration[i] > s.duration[i - 1]))
          fail("slices", i, "out of order");
      }
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

  // An operator comes before those that were fused into it, so that no chain of them can run in a circle.
  void check_program_tables() {
    const Column<Row>& into = p_.program_operators.fused_into;
    for (std::size_t i = 0; i < into.size(); ++i) {
      if (into[i] != kNoRow && into[i] >= i)
        fail("program_operators", i, "is fused into an operator that does not come before it");
    }
  }

  // One row per slice, in the order of slices.
  template <typename Table>
  void check_by_slice(const Table& table) {
    check_ascends(
        Table::kName, table.rows(), [&](std::size_t i) { return table.slice[i]; }, true);
  }

  void check_orders() {
    check_by_slice(p_.operators);
    check_by_slice(p_.modules);
    check_by_slice(p_.launches);
    check_by_slice(p_.device_work);
    check_by_slice(p_.collectives);
    check_by_slice(p_.work_costs);
    check_by_slice(p_.fine_times);
    check_by_slice(p_.program_work);
    check_ascends("work_facts", p_.work_facts.rows(), [this](std::size_t i) { return p_.work_facts.slice[i]; });
    check_ascends("steps", p_.steps.rows(), [this](std::size_t i) { return p_.steps.start[i]; });
    check_ascends("memory_events", p_.memory_events.rows(), [this](std::size_t i) { return p_.memory_events.time[i]; });
    check_ascends("communications", p_.communications.rows(), [this](std::size_t i) { return p_.communications.start[i]; });
    check_ascends("packets", p_.packets.rows(), [this](std::size_t i) { return p_.packets.transfer[i]; });
    check_ascends("counters", p_.counters.rows(),
                  [this](std::size_t i) { return std::tuple(p_.counters.lane[i], p_.counters.time[i]); });
    check_memory_usage();
  }

  // The rows of a device and component lie together, by time.
  void check_memory_usage() {
    const MemoryUsage& usage = p_.memory_usage;
    const auto holder = [&](std::size_t i) { return std::tuple(usage.device_name[i], usage.component[i]); };
    std::set<std::tuple<StringId, StringId>> seen;
    for (std::size_t i = 0; i < usage.rows(); ++i) {
      if (i > 0 && holder(i) == holder(i - 1)) {
        if (usage.time[i] < usage.time[i - 1]) fail("memory_usage", i, "out of order");
      } else if (!seen.insert(holder(i)).second) {
        fail("memory_usage", i, "is apart from the others of its device and component");
      }
    }
  }

  const Profile& p_;
  std::size_t most_;
  std::map<std::string_view, std::size_t> rows_;  // by name of the table
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> check_profile(const Profile& profile, std::size_t most) { return Checker(profile, most).run(); }

}  // namespace sightline
