// Each event is booked to the operator whose call it happened in, and to the operators around that call.
#include "analyses/memory/memory_operators.h"

#include <algorithm>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/group_index.h"

namespace sightline {

namespace {

constexpr std::string_view kOperatorMemorySource =
    "bytes of the allocator's events; the operator is the innermost range open on the event's thread then";

struct OperatorMemory {
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

}  // namespace

ReportTable blank_memory_operators() {
  ReportTable table{.key = "operators", .title = "Memory by operator"};
  const auto bytes = [&](std::string_view key, Message title, const MetricDoc& doc) {
    table.columns.push_back(integer_column(key, title, Unit::bytes, doc));
  };
  const auto count = [&](std::string_view key, Message title, const MetricDoc& doc) {
    table.columns.push_back(integer_column(key, title, Unit::count, doc));
  };
  table.columns.push_back(label_column("name", "Operator", "Name of the operator"));
  count("calls", "Calls",
        {"How often it was called.", "number of its ranges, as in the operators view; of a window: those open at some time in it",
         "operator ranges of the host threads",
         "The TensorBoard plugin does not look inside ranges without events, so its count can be too low."});
  bytes("size_increase", "Size increase",
        {"Change of the allocated memory in its calls, including what is inside them.",
         "sum of the bytes allocated - bytes released inside its calls; nested calls of the same name count twice",
         kOperatorMemorySource});
  bytes("self_size_increase", "Self size increase",
        {"Its own change of the allocated memory.", "sum of the bytes allocated - bytes released where it is the innermost range",
         kOperatorMemorySource});
  count("allocations", "Allocations",
        {"How often memory was allocated in its calls, including what is inside them.", "number of allocations inside its calls",
         kOperatorMemorySource});
  count(
      "self_allocations", "Self allocations",
      {"How often it allocated memory itself.", "number of allocations where it is the innermost range", kOperatorMemorySource});
  bytes("allocation_size", "Allocation size",
        {"Memory allocated in its calls, including what is inside them.", "sum of the bytes allocated inside its calls",
         kOperatorMemorySource});
  bytes("self_allocation_size", "Self allocation size",
        {"Memory it allocated itself.", "sum of the bytes allocated where it is the innermost range", kOperatorMemorySource});
  table.sort_column = "self_size_increase";
  table.row_links.push_back({"Operator", "operators", {}, "", "$name"});
  return table;
}

ReportTable memory_operators(const MemoryScope& scope) {
  Groups groups = group_operators(scope);
  add_memory_events(scope, groups);
  std::vector<Row> order(groups.sums.size());
  std::iota(order.begin(), order.end(), Row{0});
  std::erase_if(order, [&](Row group) {
    const OperatorMemory& of = groups.sums[group];
    return of.total == MemorySums{} && of.self == MemorySums{};
  });
  std::stable_sort(order.begin(), order.end(),
                   [&](Row a, Row b) { return groups.sums[a].self.increase > groups.sums[b].self.increase; });
  ReportTable table = blank_memory_operators();
  for (const Row group : order) {
    const OperatorMemory& of = groups.sums[group];
    table.add_row({cell(scope.profile->text(groups.names.text(group, 0))), Cell{of.calls}, Cell{of.total.increase},
                   Cell{of.self.increase}, Cell{of.total.allocations}, Cell{of.self.allocations}, Cell{of.total.allocated},
                   Cell{of.self.allocated}});
  }
  return table;
}

}  // namespace sightline
