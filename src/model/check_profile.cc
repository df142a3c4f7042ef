// check_profile: lengths, ids in range, order, nesting, and agreement between tables.
#include "model/check_profile.h"

#include <type_traits>

namespace sightline {

namespace {

class Checker {
 public:
  Checker(const Profile& profile, std::size_t most) : p_(profile), most_(most) {}

  std::vector<std::string> run() {
    Profile::visit_tables(p_, [this](const auto& table) { check_columns(table); });
    if (broken_.empty()) {  // the rest reads columns side by side
      check_lanes();
      check_slices();
      check_side_tables();
      check_times();
    }
    return std::move(broken_);
  }

 private:
  void fail(std::string_view table, std::size_t row, std::string_view what) {
    if (broken_.size() < most_) broken_.push_back(std::string(table) + " row " + std::to_string(row) + ": " + std::string(what));
  }

  // Equal lengths; string ids that exist.
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
      }
    });
  }

  void check_lanes() {
    Row next = 0;
    for (std::size_t i = 0; i < p_.lanes.rows(); ++i) {
      if (p_.lanes.first[i] != next || p_.lanes.last[i] < p_.lanes.first[i])
        fail("lanes", i, "its slices do not follow those of the lane before");
      next = p_.lanes.last[i];
      if (p_.lanes.process[i] != kNoRow && p_.lanes.process[i] >= p_.processes.rows()) fail("lanes", i, "process does not exist");
      const Row main = p_.lanes.overflow_of[i];
      if (main != kNoRow && main >= i) fail("lanes", i, "it relieves a lane that does not come before it");
    }
    if (next != p_.slices.rows()) fail("lanes", p_.lanes.rows(), "the lanes do not cover all slices");
  }

  void check_slices() {
    const Slices& s = p_.slices;
    for (std::size_t i = 0; i < s.rows(); ++i) {
      if (s.duration[i] < 0) fail("slices", i, "negative duration");
      if (s.lane[i] >= p_.lanes.rows()) {
        fail("slices", i, "lane does not exist");
        continue;
      }
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

  // Rows by ascending slice, each slice at most once.
  template <typename Table>
  void check_by_slice(const Table& table) {
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (table.slice[i] >= p_.slices.rows()) fail(Table::kName, i, "slice does not exist");
      if (i > 0 && table.slice[i] <= table.slice[i - 1]) fail(Table::kName, i, "not in the order of slices");
    }
  }

  void check_owner(std::string_view table, std::size_t row, Row owner, OwnerRule rule) {
    if (owner != kNoRow && owner >= p_.slices.rows()) fail(table, row, "owner does not exist");
    if ((owner == kNoRow) != (rule == OwnerRule::none)) fail(table, row, "owner and rule disagree");
  }

  void check_side_tables() {
    check_by_slice(p_.operators);
    check_by_slice(p_.modules);
    check_by_slice(p_.launches);
    check_by_slice(p_.device_work);
    check_by_slice(p_.collectives);
    check_by_slice(p_.work_costs);
    check_by_slice(p_.program_work);
    for (std::size_t i = 0; i < p_.work_facts.rows(); ++i) {
      if (p_.work_facts.slice[i] >= p_.slices.rows()) fail("work_facts", i, "slice does not exist");
      if (i > 0 && p_.work_facts.slice[i] < p_.work_facts.slice[i - 1]) fail("work_facts", i, "not in the order of slices");
    }
    for (std::size_t i = 0; i < p_.launches.rows(); ++i) check_owner("launches", i, p_.launches.owner[i], p_.launches.rule[i]);
    for (std::size_t i = 0; i < p_.device_work.rows(); ++i) {
      const Row launch = p_.device_work.launch[i];
      check_owner("device_work", i, p_.device_work.owner[i], p_.device_work.rule[i]);
      if (launch != kNoRow && launch >= p_.launches.rows()) fail("device_work", i, "launch does not exist");
      if (p_.device_work.slice[i] < p_.slices.rows() && !is_device_work(p_.slices.kind[p_.device_work.slice[i]]))
        fail("device_work", i, "slice is not device work");
    }
    for (std::size_t i = 0; i < p_.communications.rows(); ++i) {
      const Row slice = p_.communications.slice[i];
      if (slice != kNoRow && slice >= p_.slices.rows()) fail("communications", i, "slice does not exist");
    }
    check_program_tables();
    for (std::size_t i = 0; i < p_.transfers.rows(); ++i) {
      const Row of = p_.transfers.communication[i];
      if (of != kNoRow && of >= p_.communications.rows()) fail("transfers", i, "communication does not exist");
    }
    for (std::size_t i = 0; i < p_.packets.rows(); ++i) {
      if (p_.packets.transfer[i] >= p_.transfers.rows()) fail("packets", i, "transfer does not exist");
      if (i > 0 && p_.packets.transfer[i] < p_.packets.transfer[i - 1]) fail("packets", i, "not in the order of transfers");
    }
    for (std::size_t i = 0; i < p_.flows.rows(); ++i) {
      if (p_.flows.from[i] >= p_.slices.rows() || p_.flows.to[i] >= p_.slices.rows()) fail("flows", i, "an end does not exist");
    }
  }

  void check_program_operator(std::string_view table, std::size_t row, Row program_operator) {
    if (program_operator >= p_.program_operators.rows()) fail(table, row, "operator does not exist");
  }

  void check_program_tables() {
    const ProgramOperators& operators = p_.program_operators;
    for (std::size_t i = 0; i < operators.rows(); ++i) {
      // An operator comes before those that were fused into it, so that no chain of them can run in a circle.
      if (operators.fused_into[i] != kNoRow && operators.fused_into[i] >= i)
        fail("program_operators", i, "is fused into an operator that does not come before it");
    }
    for (std::size_t i = 0; i < p_.program_work.rows(); ++i)
      check_program_operator("program_work", i, p_.program_work.program_operator[i]);
    for (std::size_t i = 0; i < p_.reported_program_work.rows(); ++i)
      check_program_operator("reported_program_work", i, p_.reported_program_work.program_operator[i]);
    for (std::size_t i = 0; i < p_.program_buffers.rows(); ++i) {
      const Row of = p_.program_buffers.program_operator[i];
      if (of != kNoRow) check_program_operator("program_buffers", i, of);
    }
  }

  void check_times() {
    for (std::size_t i = 1; i < p_.steps.rows(); ++i) {
      if (p_.steps.start[i] < p_.steps.start[i - 1]) fail("steps", i, "out of order");
    }
    for (std::size_t i = 1; i < p_.memory_events.rows(); ++i) {
      if (p_.memory_events.time[i] < p_.memory_events.time[i - 1]) fail("memory_events", i, "out of order");
    }
    for (std::size_t i = 0; i < p_.counters.rows(); ++i) {
      if (p_.counters.lane[i] >= p_.lanes.rows()) fail("counters", i, "lane does not exist");
    }
    if (p_.span_end < p_.span_start) fail("profile", 0, "the span ends before it starts");
  }

  const Profile& p_;
  std::size_t most_;
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> check_profile(const Profile& profile, std::size_t most) { return Checker(profile, most).run(); }

}  // namespace sightline
