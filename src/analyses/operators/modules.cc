// Modules: what each module of the model cost, by who calls whom. Module calls of all threads are merged by path: a module
// that is called from two others has a row below each of them.
#include <fmt/core.h>

#include <map>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/programs/program_sums.h"
#include "analyses/steps/range_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kPrefix = "nn.Module: ";

struct Modules {
  GroupIndex<4> keys;  // parent group + 1, name, instance (two halves)
  RangeTree ranges;
};

Modules group_modules(const Profile& profile, const HostTree& tree, const std::optional<StepWindow>& step) {
  Modules modules;
  std::map<Row, std::int64_t> instances;
  for (std::size_t i = 0; i < profile.modules.rows(); ++i) instances[profile.modules.slice[i]] = profile.modules.instance[i];
  RangeTree& ranges = modules.ranges;
  ranges.group_of_node.assign(tree.nodes(), kNoRow);
  std::vector<Row> around(tree.nodes(), kNoRow);  // by node: the group of the innermost module call at or around it
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row slice = tree.slice[node];
    const Row outside = tree.parent[node] == kNoRow ? kNoRow : around[tree.parent[node]];
    around[node] = outside;
    if (profile.slices.kind[slice] != SliceKind::module) continue;
    if (step && !starts_in(*step, profile.slices.start[slice])) continue;
    const auto found = instances.find(slice);
    const auto instance = static_cast<std::uint64_t>(found == instances.end() ? kUnknown : found->second);
    const Row group = modules.keys.number_of({outside + 1, static_cast<std::uint32_t>(profile.slices.name[slice]),
                                              static_cast<std::uint32_t>(instance >> 32), static_cast<std::uint32_t>(instance)});
    if (group == ranges.parent.size()) ranges.parent.push_back(outside);
    ranges.group_of_node[node] = around[node] = group;
  }
  finish_range_tree(profile, tree, ranges);
  return modules;
}

std::int64_t instance_of(const Modules& modules, Row group) {
  const auto& key = modules.keys.key(group);
  return static_cast<std::int64_t>((std::uint64_t{key[2]} << 32) | key[3]);
}

// The frame of the module's own code, inside its longest call: "model.py(12): forward". Empty when it was not recorded.
std::string_view source_of(const Profile& profile, Row call) {
  const Slices& slices = profile.slices;
  for (Row row = call + 1; row < profile.lanes.last[slices.lane[call]] && slices.start[row] < profile.end_of(call); ++row) {
    if (slices.kind[row] == SliceKind::module) break;
    const std::string_view name = profile.text(slices.name[row]);
    if (slices.kind[row] == SliceKind::python && name.ends_with("): forward")) return name;
  }
  return {};
}

std::string shown_name(std::string_view name) {
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return std::string(name);
}

TableOf<Row, Profile, RangeRows, Modules> module_table(bool has_device_work) {
  TableOf<Row, Profile, RangeRows, Modules> table({.key = "modules", .title = "Modules"});
  table.add(label_column("name", "Module", "Class of the module, and its number within the class"),
            even_empty([](const Profile&, const RangeRows& rows, const Modules&, Row group) { return rows.names[group]; }));
  table.add_all(range_columns(has_device_work), [](const Profile&, const RangeRows& rows, const Modules&, Row group) {
    return RangeRow{&rows, group};
  });
  table.add(code_column("source", "Source", "Where its forward function is, as recorded in its longest call")
                .with_unknown("no Python function named forward was recorded in its longest call"),
            [](const Profile& profile, const RangeRows& rows, const Modules&, Row group) {
              return source_of(profile, rows.ranges.longest[group]);
            });
  table.add(integer_column("instance", "Instance", Unit::id, {"Which module object, as recorded", "", ""}).hide(),
            [](const Profile&, const RangeRows&, const Modules& modules, Row group) { return instance_of(modules, group); });
  table.add(code_column("range", "Range", "The name of its calls as recorded").hide(),
            [](const Profile&, const RangeRows&, const Modules& modules, Row group) { return modules.keys.text(group, 1); });
  return table;
}

void add_links(ReportTable& table, bool has_device_work, const std::string& step) {
  table.row_links.push_back({"Operators of this module", "operators", {{"module", "$range"}, {"step", step}}});
  if (has_device_work) {
    table.row_links.push_back(
        {"Kernels of this module", "kernels", {{"operator", "$range"}, {"group_by", "launch"}, {"step", step}}});
  }
  table.row_links.push_back(timeline_links().front());
  table.row_links.push_back({"Search on the timeline", "timeline", {{"search", "$range"}}});
}

// The outermost modules to choose from, and the group chosen; kNoRow is all of them.
Result<Row> chosen_root(const RangeRows& rows, const std::string& chosen, Parameter& parameter) {
  Row root = kNoRow;
  parameter.value = chosen;
  parameter.choices = {{"", "Whole run"}};
  for (Row group = 0; group < rows.ranges.groups(); ++group) {
    if (rows.ranges.parent[group] != kNoRow) continue;
    parameter.choices.push_back({rows.names[group], rows.names[group]});
    if (root == kNoRow && rows.names[group] == chosen) root = group;
  }
  if (root == kNoRow && !chosen.empty()) {
    return Error{ErrorCode::invalid_argument, say("root: no outermost module is named {}", chosen), ""};
  }
  return root;
}

Parameter root_parameter() {
  return {"root", "Root", ParameterType::choice, "", {}, "The outermost module whose flame graph is shown; empty: all of them"};
}

Result<Report> run_modules(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const bool has_device_work = profile->device_work.rows() > 0;
  const auto step = chosen_step(profile, given.text("step"));
  if (!step) return step.error();
  const auto tree = host_tree(profile);
  const Modules modules = group_modules(*profile, *tree, *step);
  std::vector<std::string> names;
  for (Row group = 0; group < modules.keys.size(); ++group)
    names.push_back(shown_name(profile->text(modules.keys.text(group, 1))));
  RangeRows rows = range_rows(*profile, *tree, *work_by_start(profile), modules.ranges, std::move(names));
  Parameter root = root_parameter();
  const auto chosen = chosen_root(rows, given.text("root"), root);
  if (!chosen) return chosen.error();

  Report report{.view = "modules", .title = "Modules"};
  report.parameters = {step_parameter(profile, given), std::move(root)};
  std::int64_t calls = 0;
  for (const RangeSums& sums : rows.sums) calls += sums.calls;
  report.scope = say("{} of {}, all threads", count_words(calls, "{} call", "{} calls"),
                     count_words(std::ssize(rows.sums), "{} module", "{} modules"));
  if (*step) report.scope = say("{}, step {}", report.scope, (*step)->number);
  const FlameChoice flame{
      .root = *chosen, .device_time = choose_device_time(report, *profile, given), .per_call = given.text("width") == "average"};
  set_widths(rows, flame);
  std::vector<Row> groups(modules.keys.size());
  std::iota(groups.begin(), groups.end(), Row{0});
  ReportTable table = module_table(has_device_work).of(*profile, rows, modules, groups);
  title_width(table, flame);
  add_links(table, has_device_work, given.text("step"));
  report.panels.push_back(flame_panel(table, flame));
  report.tables.push_back(std::move(table));
  Panel panel{.id = "modules", .title = "Modules", .content = TreeTable{"modules", "parent"}};
  panel.empty = "No module was called in this step.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> modules_unavailable(const Profile& profile) {
  if (profile.modules.rows() > 0) return std::nullopt;
  if (has_program_work(profile))
    return "recorded without calls of modules: the modules of compiled programs are in the view Operator hierarchy";
  return "recorded without calls of modules: with_stack=True and with_modules=True of torch.profiler record them";
}

std::vector<ReportTable> modules_tables() { return {module_table(true).blank()}; }

}  // namespace

Analysis modules_analysis() {
  std::vector<Parameter> parameters = flame_parameters();
  parameters.insert(parameters.begin(), root_parameter());
  parameters.push_back(
      {"step", "Step", ParameterType::text, "", {}, "Only calls that start inside the host range of the step of this number"});
  return {.id = "modules",
          .title = "Modules",
          .group = ViewGroup::where_time_went,
          .doc = "Which modules of the model took the time, in the forward and in the backward pass.",
          .parameters = std::move(parameters),
          .unavailable = modules_unavailable,
          .run = run_modules,
          .tables = modules_tables};
}

}  // namespace sightline::analyses
