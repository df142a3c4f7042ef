// Each event is booked to the operator whose call it happened in, and to the operators around that call.
#include "analyses/memory/memory_operators.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/group_index.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kOperatorMemorySource =
    "bytes of the allocator's events; the operator is the innermost range open on the event's thread then";

struct OperatorMemory {
  StringId name = StringId::none;
  std::int64_t calls = 0;
  MemorySums total;
  MemorySums self;
};

struct Groups {
  GroupIndex<1> names;
  std::vector<OperatorMemory> sums;  // by group
  std::vector<Row> group_of_node;    // kNoRow for what is not an operator
};

// Operators by name, with the calls that were open at some time in the window.
Groups group_operators(const MemoryScope& scope) {
  const HostTree& tree = *scope.tree;
  const Profile& profile = *scope.profile;
  Groups groups;
  groups.group_of_node.assign(tree.nodes(), kNoRow);
  for (Row node = 0; node < tree.nodes(); ++node) {
    if (!tree.is_operator(node)) continue;
    const Row slice = tree.slice[node];
    groups.group_of_node[node] = groups.names.number_of({static_cast<std::uint32_t>(profile.slices.name[slice])});
    groups.sums.resize(groups.names.size());
    groups.sums.back().name = groups.names.text(groups.names.size() - 1, 0);
    const bool open =
        !scope.window || (profile.slices.start[slice] < scope.window->end && profile.end_of(slice) > scope.window->start);
    groups.sums[groups.group_of_node[node]].calls += open;
  }
  return groups;
}

void add_memory_events(const MemoryScope& scope, Groups& groups) {
  for (const Row event : scope.events) {
    const std::int64_t bytes = scope.profile->memory_events.bytes[event];
    const Row innermost = scope.records->node[event];
    if (innermost != kNoRow && groups.group_of_node[innermost] != kNoRow)
      groups.sums[groups.group_of_node[innermost]].self.add(bytes);
    for (Row node = innermost; node != kNoRow; node = scope.tree->parent[node]) {
      if (const Row group = groups.group_of_node[node]; group != kNoRow) groups.sums[group].total.add(bytes);
    }
  }
}

TableOf<OperatorMemory, Profile> operator_columns_of_memory() {
  TableOf<OperatorMemory, Profile> table({.key = "operators",
                                          .title = "Memory by operator",
                                          .sort_column = "self_size_increase",
                                          .row_links = {{"Operator", "operators", {}, "", "$name"}}});
  const auto add = [&](std::string_view key, Message title, Unit unit, const MetricDoc& doc, auto value) {
    table.add(integer_column(key, title, unit, doc), value);
  };
  table.add(label_column("name", "Operator", "Name of the operator"), &OperatorMemory::name);
  add("calls", "Calls", Unit::count,
      {"How often it was called.",
       "number of its ranges, as in the Operators view; for a window, the ranges that are open at some time in it",
       "operator ranges of the host threads",
       "The TensorBoard plugin does not look inside ranges without events, so its count can be too low."},
      &OperatorMemory::calls);
  add("size_increase", "Size increase", Unit::bytes,
      {"Change of the allocated memory in its calls, including what is inside them.",
       "sum of the bytes allocated - bytes released inside its calls; nested calls of the same name count twice",
       kOperatorMemorySource},
      [](const OperatorMemory& of) { return of.total.increase; });
  add("self_size_increase", "Self size increase", Unit::bytes,
      {"Change of the allocated memory by the operator itself.",
       "sum of the bytes allocated - bytes released where it is the innermost range", kOperatorMemorySource},
      [](const OperatorMemory& of) { return of.self.increase; });
  add("allocations", "Allocations", Unit::count,
      {"How often memory was allocated in its calls, including what is inside them.", "number of allocations inside its calls",
       kOperatorMemorySource},
      [](const OperatorMemory& of) { return of.total.allocations; });
  add("self_allocations", "Self allocations", Unit::count,
      {"How often it allocated memory itself.", "number of allocations where it is the innermost range", kOperatorMemorySource},
      [](const OperatorMemory& of) { return of.self.allocations; });
  add("allocation_size", "Allocation size", Unit::bytes,
      {"Memory allocated in its calls, including what is inside them.", "sum of the bytes allocated inside its calls",
       kOperatorMemorySource},
      [](const OperatorMemory& of) { return of.total.allocated; });
  add("self_allocation_size", "Self allocation size", Unit::bytes,
      {"Memory it allocated itself.", "sum of the bytes allocated where it is the innermost range", kOperatorMemorySource},
      [](const OperatorMemory& of) { return of.self.allocated; });
  return table;
}

}  // namespace

ReportTable blank_memory_operators() { return operator_columns_of_memory().blank(); }

ReportTable memory_operators(const MemoryScope& scope) {
  Groups groups = group_operators(scope);
  add_memory_events(scope, groups);
  std::vector<OperatorMemory>& rows = groups.sums;
  std::erase_if(rows, [](const OperatorMemory& of) { return of.total == MemorySums{} && of.self == MemorySums{}; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const OperatorMemory& a, const OperatorMemory& b) { return a.self.increase > b.self.increase; });
  return operator_columns_of_memory().of(*scope.profile, rows);
}

}  // namespace sightline::analyses
