// Operators: which operators took the time, on the host and on the device, by name or by name and input shapes.
#include <algorithm>

#include "analyses/columns.h"
#include "analyses/derived_data.h"
#include "analyses/group_index.h"
#include "analyses/operators/operator_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

struct OperatorGroups {
  GroupIndex<2> keys;           // name, input shapes (none when grouped by name alone)
  std::vector<bool> has_stack;  // by group
  std::vector<Row> longest;     // by group: row of slices, the first of equals
  std::vector<GroupSums> sums;  // by group

  friend std::int64_t held_bytes(const OperatorGroups& groups) {
    return groups.keys.held_bytes() + analyses::held_bytes(groups.has_stack, groups.longest, groups.sums);
  }
};

// By node: whether it is in a call of a module of this name, as recorded. An empty name is that of the whole run.
std::vector<bool> nodes_inside(const Profile& profile, const HostTree& tree, const std::string& module) {
  std::vector<bool> inside(tree.nodes(), module.empty());
  const StringId name = profile.strings.find(module);
  if (module.empty() || name == StringId::none) return inside;
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row slice = tree.slice[node];
    const bool here = profile.slices.kind[slice] == SliceKind::module && profile.slices.name[slice] == name;
    inside[node] = here || (tree.parent[node] != kNoRow && inside[tree.parent[node]]);
  }
  return inside;
}

// Of one step if given, inside a module unless its name is empty.
OperatorGroups group_operators(const ProfilePtr& of, const std::optional<StepWindow>& step, const std::string& module,
                               bool by_shape) {
  const Profile& profile = *of;
  const std::shared_ptr<const HostTree> all_nodes = host_tree(of);
  const HostTree& tree = *all_nodes;
  const std::vector<bool> inside = nodes_inside(profile, tree, module);
  OperatorGroups groups;
  std::vector<Row> group_of_node(tree.nodes(), kNoRow);  // kNoRow: not an operator, or not in scope
  for (Row node = 0; node < tree.nodes(); ++node) {
    if (!inside[node] || !tree.is_operator(node)) continue;
    if (step && !starts_in(*step, profile.slices.start[tree.slice[node]])) continue;
    const Row row = tree.operator_row[node];
    const StringId shapes = by_shape ? profile.operators.input_shapes[row] : StringId::none;
    const auto name = static_cast<std::uint32_t>(profile.slices.name[tree.slice[node]]);
    const Row group = groups.keys.number_of({name, static_cast<std::uint32_t>(shapes)});
    group_of_node[node] = group;
    if (group == groups.has_stack.size()) {
      groups.has_stack.push_back(false);
      groups.longest.push_back(tree.slice[node]);
    }
    const auto& duration = profile.slices.duration;
    if (duration[tree.slice[node]] > duration[groups.longest[group]]) groups.longest[group] = tree.slice[node];
    if (profile.operators.call_stack[row] != StringId::none) groups.has_stack[group] = true;
  }
  groups.sums = sum_groups(profile, tree, *work_by_start(of), group_of_node, groups.keys.size());
  return groups;
}

// Those of the whole run are found once for a profile: a search needs no other sums.
std::shared_ptr<const OperatorGroups> chosen_groups(const ProfilePtr& profile, const std::optional<StepWindow>& step,
                                                    const std::string& module, bool by_shape) {
  if (step || !module.empty()) return std::make_shared<const OperatorGroups>(group_operators(profile, step, module, by_shape));
  return derived<OperatorGroups>(
      profile, [](const ProfilePtr& of, bool shape) { return group_operators(of, std::nullopt, "", shape); }, by_shape);
}

// A row: a group.
struct OperatorRow {
  StringId name, shapes;
  GroupSums sums;
  bool has_stack;
  Row longest;  // kNoRow: not on the timeline
};

TableOf<OperatorRow, Profile> operator_table(bool by_shape, bool has_device_work, const DeviceWords& words = {}) {
  TableOf<OperatorRow, Profile> table(
      {.key = "operators", .title = "Operators", .sort_column = operator_sort_column(has_device_work)});
  table.add(label_column("name", "Name", "Name of the operator"),
            even_empty([](const Profile& profile, const OperatorRow& row) { return profile.text(row.name); }));
  if (by_shape) {
    table.add(code_column("input_shape", "Input shapes", "Shapes of the inputs; [] is a scalar or an absent tensor")
                  .with_unknown("recorded without shapes"),
              &OperatorRow::shapes);
  }
  table.add_all(operator_columns(has_device_work, words), &OperatorRow::sums);
  table.add(flag_column("has_stack", "Has call stacks", {"Whether call stacks were recorded for it", "", ""}).hide(),
            &OperatorRow::has_stack);
  table.add(longest_slice_column("call"), &OperatorRow::longest);
  return table;
}

// A row opens the program that runs its operator, if the recording has the shapes of inputs.
void add_reproduce_link(ReportTable& table, const Profile& profile, bool by_shape) {
  const auto& shapes = profile.operators.input_shapes;
  if (std::all_of(shapes.begin(), shapes.end(), [](StringId text) { return text == StringId::none; })) return;
  LinkParameters call{{"name", "$name"}};
  if (by_shape) call.emplace_back("input_shape", "$input_shape");
  table.row_links.push_back({"Reproduce", "reproduce", std::move(call)});
}

void add_row_actions(ReportTable& table, bool by_shape, bool has_device_work, const std::string& step) {
  LinkParameters stacks{{"name", "$name"}, {"step", step}};
  if (by_shape) stacks.insert(stacks.end(), {{"group_by", "shape"}, {"input_shape", "$input_shape"}});
  table.row_detail = RowDetail{"Call stacks", "operator_stacks", std::move(stacks), "has_stack"};
  if (has_device_work) {
    table.row_links.push_back(
        {"Kernels of this operator", "kernels", {{"operator", "$name"}, {"group_by", "launch"}, {"step", step}}});
  }
  for (RowLink& link : timeline_links()) table.row_links.push_back(std::move(link));
}

// The groups that match the search, by their cost. `longest` is empty if the groups are not on the timeline.
template <typename Groups>
std::vector<OperatorRow> operator_rows(const Profile& profile, const Groups& groups, const std::vector<Row>& longest,
                                       bool has_device_work, const Parameters& given) {
  std::vector<OperatorRow> rows;
  for (const Row group : sorted_groups(groups.sums, has_device_work)) {
    const StringId name = groups.keys.text(group, 0);
    if (!contains_text(profile.text(name), given.text("search"))) continue;
    rows.push_back({name, groups.keys.text(group, 1), groups.sums[group], groups.has_stack[group],
                    longest.empty() ? kNoRow : longest[group]});
  }
  return rows;
}

void add_donut(Report& report, std::string_view value, Message title, int top) {
  Panel panel{.id = std::string(value),
              .title = title,
              .content = BreakdownChart{.table = "operators", .label = "name", .value = std::string(value), .top = top}};
  panel.width = "half";
  panel.doc = report.tables.front().find(value)->doc;
  panel.empty = value == "device_self"
                    ? "No operator launched device work itself; device total includes what ranges inside operators launched."
                    : "No operator took time here.";
  report.panels.push_back(std::move(panel));
}

// Self times only: totals of nested operators count the inner ones again, so they are no parts of a whole.
void add_panels(Report& report, bool has_device_work, int top) {
  if (has_device_work) add_donut(report, "device_self", "Device self time", top);
  add_donut(report, "host_self", "Host self time", top);
  Panel panel{.id = "operators", .title = "Operators", .content = PlainTable{"operators"}};
  panel.empty = "No operator matches the search.";
  report.panels.push_back(std::move(panel));
}

// Of operators on a timeline.
Result<Report> run_timed(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const bool by_shape = input.parameters.text("group_by") == "shape";
  const std::string& module = input.parameters.text("module");
  const bool has_device_work = profile->device_work.rows() > 0;
  const auto step = chosen_step(profile, input.parameters.text("step"));
  if (!step) return step.error();
  const auto groups = chosen_groups(profile, *step, module, by_shape);
  const std::vector<GroupSums>& sums = groups->sums;

  Report report{.view = "operators", .title = "Operators"};
  report.parameters.push_back(step_parameter(profile, input.parameters));
  std::int64_t calls = 0;
  for (const GroupSums& group : sums) calls += group.calls;
  const Message calls_words = count_words(calls, "{} call", "{} calls");
  const Message operator_words = count_words(std::ssize(sums), "{} operator", "{} operators");
  report.scope = by_shape ? say("{} of {} with distinct input shapes", calls_words, operator_words)
                          : say("{} of {}", calls_words, operator_words);
  if (*step) report.scope = say("{}, step {}", report.scope, (*step)->number);
  if (!module.empty()) report.scope = say("{}, in {}", report.scope, module);
  report.tables.push_back(
      operator_table(by_shape, has_device_work, device_words(*profile))
          .of(*profile, operator_rows(*profile, *groups, groups->longest, has_device_work, input.parameters)));
  add_row_actions(report.tables.back(), by_shape, has_device_work, input.parameters.text("step"));
  add_reproduce_link(report.tables.back(), *profile, by_shape);
  add_panels(report, has_device_work, static_cast<int>(input.parameters.integer("top")));
  return report;
}

std::optional<Message> operators_unavailable(const Profile& profile) {
  if (profile.operators.rows() > 0 || profile.reported_operators.rows() > 0) return std::nullopt;
  return "no operators in this profile: record host activity as well";
}

// For a profile whose file states how long calls took, but not when.
Result<Report> run_reported(const ProfilePtr& of, const Parameters& given) {
  const Profile& profile = *of;
  if (const auto step = chosen_step(of, given.text("step")); !step) return step.error();
  const bool by_shape = given.text("group_by") == "shape";
  const ReportedGroups groups = group_reported(profile, by_shape);
  const auto& of_device = profile.reported_operators.device_total;
  const bool has_device_work = std::any_of(of_device.begin(), of_device.end(), [](Time time) { return time != kUnknown; });

  Report report{.view = "operators", .title = "Operators"};
  report.parameters.push_back(step_parameter(of, given));
  const Message calls_words = count_words(std::ssize(profile.reported_operators.name), "{} call", "{} calls");
  const Message operator_words = count_words(std::ssize(groups.sums), "{} operator", "{} operators");
  report.scope = by_shape ? say("{} of {} with distinct input shapes", calls_words, operator_words)
                          : say("{} of {}", calls_words, operator_words);
  report.notes.push_back({Note::Level::warning,
                          "The file states how long each call took, but not when: so calls are not on the timeline, not divided "
                          "among steps or modules, and not merged if an operator calls itself."});
  std::vector<OperatorRow> rows;
  if (given.text("module").empty()) rows = operator_rows(profile, groups, {}, has_device_work, given);
  ReportTable table = operator_table(by_shape, has_device_work, device_words(profile)).of(profile, rows);
  add_row_actions(table, by_shape, false, "");
  std::erase_if(table.row_links, [](const RowLink& link) { return link.view == "timeline"; });
  for (ReportColumn& column : table.columns) {
    if (column.key != "device_busy") continue;
    column.hidden = true;
    column.unknown = "the file does not state when the device was at work";
  }
  report.tables.push_back(std::move(table));
  add_panels(report, has_device_work, static_cast<int>(given.integer("top")));
  return report;
}

Result<Report> run_operators(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  return has_only_reported_operators(*profile) ? run_reported(profile, input.parameters) : run_timed(input);
}

std::vector<ReportTable> operators_tables() { return {operator_table(true, true).blank()}; }

}  // namespace

Analysis operators_analysis() {
  return {
      .id = "operators",
      .title = "Operators",
      .group = ViewGroup::where_time_went,
      .doc = "Which operators took the time, on the host and on the device.",
      .parameters = {{"group_by",
                      "Group by",
                      ParameterType::choice,
                      "name",
                      {{"name", "Operator"}, {"shape", "Operator and input shapes"}},
                      "Which calls are one row"},
                     {"search", "Search", ParameterType::text, "", {}, "Part of the operator's name, in any letter case"},
                     {"module", "Module", ParameterType::text, "", {}, "Only calls inside a module of this name, as recorded"},
                     {"step",
                      "Step",
                      ParameterType::text,
                      "",
                      {},
                      "Only calls that start inside the host range of the step of this number"},
                     {"top", "Top", ParameterType::integer, "10", {}, "How many operators the charts show before the rest"}},
      .unavailable = operators_unavailable,
      .run = run_operators,
      .tables = operators_tables};
}

}  // namespace sightline::analyses
