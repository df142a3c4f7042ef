// Memory: how much of a device's memory was in use when, who allocated it, and for how long.
#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/memory/memory_blocks.h"
#include "analyses/memory/memory_components.h"
#include "analyses/memory/memory_curve.h"
#include "analyses/memory/memory_plan_panels.h"
#include "analyses/memory/memory_records.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- what each operator did to a device's memory ----
// Six measures. Each event counts for the operator whose call it happened in, and for the operators around that call.

namespace {

struct MemorySums {
  std::int64_t increase = 0;     // bytes allocated - bytes released
  std::int64_t allocations = 0;  // how many
  std::int64_t allocated = 0;    // bytes

  void add(std::int64_t bytes) {
    increase += bytes;
    if (bytes <= 0) return;
    ++allocations;
    allocated += bytes;
  }
  bool operator==(const MemorySums&) const = default;
};

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
  std::vector<Row> group_of_node;    // kNoRow for nodes that are not operators
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

ReportTable blank_memory_operators() { return operator_columns_of_memory().blank(); }

// One row per operator with any measure that is not 0, by self size increase.
ReportTable memory_operators(const MemoryScope& scope) {
  Groups groups = group_operators(scope);
  add_memory_events(scope, groups);
  std::vector<OperatorMemory>& rows = groups.sums;
  std::erase_if(rows, [](const OperatorMemory& of) { return of.total == MemorySums{} && of.self == MemorySums{}; });
  sort_down(rows, [](const OperatorMemory& each) { return each.self.increase; });
  return operator_columns_of_memory().of(*scope.profile, rows);
}

}  // namespace

// ---- the view ----

namespace {

constexpr const char* kNoTotals = "recorded by a version of the framework that does not write the allocator's totals";
constexpr std::string_view kNoReserve = "the file does not say what the allocator held beyond that";

struct Flows {
  std::int64_t allocated = 0;
  std::int64_t released = 0;
  std::int64_t outside = 0;  // events outside of all operators
};

Flows flows_of(const MemoryScope& scope) {
  Flows flows;
  for (const Row event : scope.events) {
    const std::int64_t bytes = scope.profile->memory_events.bytes[event];
    (bytes > 0 ? flows.allocated : flows.released) += std::abs(bytes);
    const Row node = scope.records->node[event];
    flows.outside += node == kNoRow || !scope.tree->is_operator(node);
  }
  return flows;
}

// The memory of the device itself, according to the profile's table of devices.
Cell device_memory(const MemoryScope& scope) {
  const Devices& devices = scope.profile->devices;
  for (Row i = 0; i < devices.rows() && !scope.on().host; ++i) {
    if (devices.ordinal[i] == scope.on().ordinal) return cell(devices.memory[i]);
  }
  return {};
}

Panel facts_panel(const MemoryScope& scope, const MemoryPeaks& peaks) {
  FactSheet sheet;
  const MemoryEvents& events = scope.profile->memory_events;
  const auto total = [&](std::span<const std::int64_t> column, Row row) { return row == kNoRow ? Cell{} : cell(column[row]); };
  const auto add = [&](std::string label, Cell value, Unit unit, Message doc, Message unknown = kNoTotals) {
    sheet.facts.push_back({std::move(label), std::move(value), unit, std::move(doc), unknown});
  };
  add("Peak allocated", total(events.total_allocated, peaks.allocated), Unit::bytes, "The most that was allocated at once.");
  add("Peak at", total(events.time, peaks.allocated), Unit::ns, "When it was first reached, since the run's origin.");
  add("Peak reserved", total(events.total_reserved, peaks.reserved), Unit::bytes, "The most that the allocator held at once.",
      kNoReserve);
  add("Device memory", device_memory(scope), Unit::bytes, "All memory of the device.", "the profile does not say");
  add(scope.window ? "Allocated at the start" : "Allocated before recording", cell(peaks.before), Unit::bytes,
      "Total allocated before the first event: what the events do not account for.");
  add("Allocated at the end", total(events.total_allocated, peaks.last), Unit::bytes, "Total allocated after the last event.");
  const Flows flows = flows_of(scope);
  add("Bytes allocated", Cell{flows.allocated}, Unit::bytes, "Sum of the bytes of all allocations.");
  add("Bytes released", Cell{flows.released}, Unit::bytes, "Sum of the bytes of all releases.");
  add("Events", Cell{std::ssize(scope.events)}, Unit::count, "Allocations and releases.");
  add("Not attributed", Cell{flows.outside}, Unit::count, "Events outside all operators; the table by operator leaves them out.");
  return {.id = "summary", .title = "Summary", .content = std::move(sheet)};
}

Panel curve_panel(const MemoryScope& scope, const MemoryPeaks& peaks) {
  LineChart chart{
      .table = "curve", .x = "time", .series = {"allocated"}, .step = true, .select = RangeSelect{"start", "end", "at"}};
  if (peaks.reserved != kNoRow) chart.series.insert(chart.series.end(), {"reserved", "fragmentation"});
  if (peaks.allocated != kNoRow) chart.marks.push_back({scope.profile->memory_events.time[peaks.allocated], "peak"});
  if (scope.at) chart.marks.push_back({*scope.at, "at"});
  Panel panel{.id = "curve", .title = "Memory over time", .content = std::move(chart)};
  if (!scope.events.empty() && !is_near_slices(*scope.profile, scope.profile->memory_events.time[scope.events.front()])) {
    panel.notes = {
        {Note::Level::warning, "These events lie more than a day away from the slices: they belong to another recording."}};
  }
  panel.empty = scope.on().has_totals ? "Nothing was allocated or released here." : say("No curve: {}.", kNoTotals);
  return panel;
}

Panel table_panel(const std::string& id, Message title, Message empty) {
  Panel panel{.id = id, .title = std::move(title), .content = PlainTable{id}};
  panel.empty = std::move(empty);
  return panel;
}

// "at the peak", "at 12.3 ms".
Message moment_words(const MemoryScope& scope) { return scope.at ? say("at {}", time_words(*scope.at)) : Message("at the peak"); }

void add_live_panels(Report& report, const MemoryScope& scope, const LiveMemory& live) {
  const Message empty = live.known              ? "Nothing was allocated at that time."
                        : scope.on().has_totals ? "Nothing was recorded up to that time."
                                                : say("Not known: {}.", kNoTotals);
  Panel live_panel = table_panel("live", "Live memory", empty);
  live_panel.scope = moment_words(scope);
  Panel categories{.id = "categories", .title = "Memory by category", .content = PlainTable{"categories"}};
  categories.scope = say("live: {}", moment_words(scope));
  categories.doc = "An estimate by rules: a trace does not say what a block was used for.\nFormula: " + category_rules();
  categories.empty = scope.on().has_addresses ? Message("Nothing was allocated or released here.")
                                              : "Not known: recorded without the addresses of blocks.";
  for (Panel* panel : {&live_panel, &categories}) panel->width = "half";
  report.panels.push_back(std::move(live_panel));
  report.panels.push_back(std::move(categories));
}

void add_events(Report& report, const MemoryScope& scope, const std::string& group_by) {
  const MemoryPeaks peaks = memory_peaks(scope);
  const MemoryJudge judge(scope);
  const LiveMemory live = live_memory(scope, peaks);
  std::vector<MemoryBlock> blocks = memory_blocks(scope);
  report.tables = {memory_curve(scope), memory_operators(scope), live_table(scope, live, judge, group_by),
                   category_table(scope, blocks, live, judge)};
  report.tables.push_back(block_table(scope, std::move(blocks), judge));
  report.panels = {facts_panel(scope, peaks), curve_panel(scope, peaks)};
  add_live_panels(report, scope, live);
  report.panels.push_back(table_panel("operators", "Memory by operator", "No operator allocated or released memory here."));
  report.panels.push_back(table_panel("events", "Memory events", "Nothing was allocated or released here."));
}

// A chart of one of the tables of component_curves.
Panel component_curve_panel(const MemoryScope& scope, const ReportTable& table) {
  LineChart chart{.table = table.key, .x = "time", .step = true};
  for (const ReportColumn& column : table.columns) {
    if (column.key != chart.x) chart.series.push_back(column.key);
  }
  chart.select = RangeSelect{"start", "end", scope.on().has_events ? "at" : ""};
  if (scope.at) chart.marks.push_back({*scope.at, "at"});
  Panel panel{.id = table.key, .title = table.title, .content = std::move(chart)};
  panel.width = "half";
  panel.empty = "Nothing was recorded here.";
  return panel;
}

// Charts of components with more than one record; a single record shows no change over time.
void add_component_curves(Report& report, const MemoryScope& scope, const std::vector<MemoryComponent>& components) {
  const bool change = std::any_of(components.begin(), components.end(), [](const MemoryComponent& component) {
    return component.last - component.first + (component.carried != kNoRow) > 1;
  });
  if (!change) return;
  ComponentCurves curves = component_curves(scope, components);
  std::vector<Panel> panels;
  for (const ReportTable* table : {&curves.reserved, &curves.allocated}) {
    if (table->columns.size() > 1) panels.push_back(component_curve_panel(scope, *table));
  }
  if (panels.empty()) return;
  if (panels.size() == 1) panels.front().width = "full";
  if (curves.left_out > 0) {
    panels.front().notes.push_back(
        {Note::Level::info, say("The {} that held most are drawn; the table has {} more.", kMostDrawn, curves.left_out)});
  }
  if (curves.distant > 0) {
    panels.front().notes.push_back(
        {Note::Level::warning, say("Not drawn: {} more than a day away from the rest of the recording.",
                                   count_words(curves.distant, "{} record", "{} records"))});
  }
  // After the curve of the allocator's own events, which answers the same question.
  const auto after_curve = report.panels.begin() + std::min<std::ptrdiff_t>(2, std::ssize(report.panels));
  report.panels.insert(after_curve, panels.begin(), panels.end());
  for (ReportTable* table : {&curves.reserved, &curves.allocated}) report.tables.push_back(std::move(*table));
}

void add_components(Report& report, const MemoryScope& scope) {
  const std::vector<MemoryComponent> components = memory_components(scope);
  if (components.empty()) return;
  add_component_curves(report, scope, components);
  report.panels.push_back(table_panel("components", "Memory by component", "Nothing was recorded here."));
  report.tables.push_back(component_table(scope, components));
}

std::vector<Parameter> record_parameters() {
  std::vector<Parameter> all = memory_parameters();
  all.push_back(
      {"group_by",
       "Live memory by",
       ParameterType::choice,
       "operator",
       {{"operator", "Operator"}, {"module", "Module"}, {"stack", "Call stack"}, {"category", "Category"}},
       "How live blocks are grouped; without recorded call stacks, a stack consists of the ranges around the allocation"});
  return all;
}

bool has_records(const Profile& profile) { return profile.memory_events.rows() > 0 || profile.memory_usage.rows() > 0; }

// Panels of the memory that was recorded while the process ran.
std::optional<Error> add_records(Report& report, const AnalysisInput& input) {
  const auto scope = memory_scope(input.profiles.front(), input.parameters);
  if (!scope) return scope.error();
  report.scope = scope_words(*scope);
  report.parameters = {device_parameter(*scope), step_parameter(scope->profile, input.parameters)};
  if (scope->on().has_events) add_events(report, *scope, input.parameters.text("group_by"));
  add_components(report, *scope);
  return std::nullopt;
}

// Parameters without a choice in this profile have a single choice, so that the page shows no control.
void add_idle(Report& report, const std::vector<Parameter>& declared) {
  for (Parameter parameter : declared) {
    parameter.choices = {{parameter.value, ""}};
    report.parameters.push_back(std::move(parameter));
  }
}

Result<Report> run_memory(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  Report report{.view = "memory", .title = "Memory"};
  if (!has_records(profile)) {
    add_idle(report, record_parameters());
  } else if (auto error = add_records(report, input)) {
    return *std::move(error);
  }
  if (!has_memory_plans(profile)) {
    add_idle(report, memory_plan_parameters());
  } else if (auto error = add_memory_plans(report, profile, input.parameters)) {
    return *std::move(error);
  }
  // The longest list comes last: users would not find a panel below it.
  std::stable_partition(report.panels.begin(), report.panels.end(), [](const Panel& panel) { return panel.id != "events"; });
  return report;
}

std::optional<Message> memory_unavailable(const Profile& profile) {
  if (has_records(profile) || has_memory_plans(profile)) return std::nullopt;
  return "neither allocations nor plans of compiled programs were recorded: profile_memory=True of torch.profiler records the "
         "first, enable_hlo_proto of XLA's profilers the second";
}

std::vector<ReportTable> memory_tables() {
  std::vector<ReportTable> all{blank_memory_curve(),   blank_memory_operators(), blank_live_table(),
                               blank_category_table(), blank_block_table(),      blank_component_table()};
  for (ReportTable& plan : blank_memory_plan_tables()) all.push_back(std::move(plan));
  return all;
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = record_parameters();
  for (Parameter& of_plans : memory_plan_parameters()) all.push_back(std::move(of_plans));
  return all;
}

}  // namespace

Analysis memory_analysis() {
  return {.id = "memory",
          .title = "Memory",
          .group = ViewGroup::memory,
          .doc = "How much memory of a device was in use over time, what allocated it, and what compilers planned.",
          .parameters = parameters(),
          .unavailable = memory_unavailable,
          .run = run_memory,
          .tables = memory_tables};
}

}  // namespace sightline::analyses
