// Kernels: which kernels took the device's time, by name or by launch properties and operator.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/device_activity.h"
#include "analyses/kernel_groups.h"
#include "analyses/search.h"
#include "analyses/step_choice.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline {

namespace {

constexpr std::string_view kDuration = "start to end of the kernel on the device";

// Which of the optional columns a table has.
struct Shape {
  bool by_launch = true;
  bool blocks = true;
  bool occupancy = true;
};

void add_operator_column(std::vector<ReportColumn>& columns) {
  columns.push_back(code_column("operator", "Operator", "The host range that launched it: an operator, an annotation or a step"));
  columns.back().unknown = "not attributed to any host range";
}

void add_launch_columns(std::vector<ReportColumn>& columns) {
  columns.push_back(code_column("grid", "Grid", "Blocks in the grid, per dimension"));
  columns.push_back(code_column("block", "Block", "Threads in a block, per dimension"));
  columns.push_back(integer_column("registers", "Registers", Unit::count, {"Registers per thread.", "", "the profiler"}));
  columns.push_back(integer_column("shared_memory", "Shared memory", Unit::bytes,
                                   {"Shared memory per block, static and dynamic.", "", "the profiler"}));
}

void add_time_columns(std::vector<ReportColumn>& columns) {
  columns.push_back(integer_column("calls", "Calls", Unit::count,
                                   {"How often it ran.", "number of kernel events", "kernel events of all streams and devices"}));
  columns.push_back(integer_column("total", "Total", Unit::ns, {"Device time of all its calls.", "sum of durations", kDuration}));
  columns.back().bar = "share";
  columns.push_back(
      real_column("share", "Share", Unit::share,
                  {"Its part of the time of all kernels in scope.", "total / sum of the totals of all kernels in scope",
                   kDuration, "Not in the TensorBoard plugin's table."}));
  columns.push_back(real_column("mean", "Mean", Unit::ns, {"Average device time of a call.", "total / calls", kDuration}));
  columns.push_back(integer_column("max", "Max", Unit::ns, {"Longest call.", "largest duration", kDuration}));
  columns.push_back(integer_column("min", "Min", Unit::ns, {"Shortest call.", "smallest duration", kDuration}));
}

void add_fill_columns(std::vector<ReportColumn>& columns, const Shape& shape) {
  constexpr std::string_view kDiffers = "Calls without a value are left out; the TensorBoard plugin counts them as 0.";
  if (shape.blocks) {
    columns.push_back(real_column(
        "blocks_per_sm", "Mean blocks per SM", Unit::count,
        {"Blocks of the grid per multiprocessor; below 1 some multiprocessors have nothing to do.",
         "sum(blocks per SM x duration) / sum(duration), over calls that have a value", "the profiler, per kernel", kDiffers}));
  }
  if (shape.occupancy) {
    columns.push_back(real_column(
        "occupancy", "Mean est. achieved occupancy", Unit::percent,
        {"Active warps per multiprocessor as a share of the most it can hold, estimated from the launch.",
         "sum(occupancy x duration) / sum(duration), over calls that have a value", "the profiler, per kernel", kDiffers}));
  }
}

ReportTable blank_table(const Shape& shape) {
  ReportTable table{.key = "kernels", .title = "Kernels"};
  table.columns.push_back(label_column("name", "Name", "Name of the kernel"));
  if (shape.by_launch) add_operator_column(table.columns);
  add_time_columns(table.columns);
  table.columns.push_back(flag_column("tensor_cores", "Tensor cores",
                                      {"Whether it runs on tensor cores (matrix units).", "by the kernel's name", "kernel names",
                                       "Knows the names of newer kernels; unknown where names do not tell."}));
  table.columns.back().unknown = "the kernel's name does not tell";
  if (shape.by_launch) {
    table.columns.push_back(flag_column("op_tc_eligible", "Op TC eligible",
                                        {"Whether the launching operator, by its own name, could run on tensor cores.",
                                         "by the operator's name", "operator names"}));
    table.columns.back().unknown = "not launched by an operator";
  }
  if (shape.by_launch) add_launch_columns(table.columns);
  add_fill_columns(table.columns, shape);
  table.columns.push_back(longest_slice_column("call"));
  table.sort_column = "total";
  return table;
}

Cell weighted_mean(double sum, Time weight) { return weight == 0 ? Cell{} : Cell{sum / static_cast<double>(weight)}; }

Cell number_cell(std::uint32_t word) { return word == kNoNumber ? Cell{} : Cell{static_cast<std::int64_t>(word)}; }

std::vector<Cell> row_cells(const Profile& profile, const KernelGroups& groups, std::size_t group, const Shape& shape) {
  const KernelSums& sums = groups.sums[group];
  const KernelKeys& keys = groups.keys;
  std::vector<Cell> cells{cell(profile.text(keys.text(group, 0)))};
  if (shape.by_launch) cells.push_back(cell(profile.text(keys.text(group, 1))));
  cells.emplace_back(sums.calls);
  cells.emplace_back(sums.total);
  cells.push_back(share_cell(sums.total, groups.total));
  cells.emplace_back(static_cast<double>(sums.total) / static_cast<double>(sums.calls));
  cells.emplace_back(sums.max);
  cells.emplace_back(sums.min);
  cells.push_back(sums.core_type == CoreType::unknown ? Cell{} : Cell{sums.core_type == CoreType::matrix});
  if (shape.by_launch) {
    cells.push_back(sums.owner_is_operator ? Cell{sums.operator_eligible} : Cell{});
    for (const std::size_t word : {2, 3}) cells.push_back(cell(profile.text(keys.text(group, word))));
    for (const std::size_t word : {4, 5}) cells.push_back(number_cell(keys.key(group)[word]));
  }
  if (shape.blocks) cells.push_back(weighted_mean(sums.blocks_time, sums.blocks_weight));
  if (shape.occupancy) cells.push_back(weighted_mean(sums.occupancy_time, sums.occupancy_weight));
  cells.emplace_back(std::int64_t{sums.longest});
  return cells;
}

Shape shape_of(const KernelGroups& groups, bool by_launch) {
  const auto any = [&](auto known) { return std::any_of(groups.sums.begin(), groups.sums.end(), known); };
  return {by_launch, any([](const KernelSums& sums) { return sums.blocks_time > 0; }),
          any([](const KernelSums& sums) { return sums.occupancy_weight > 0; })};
}

// Links keep the step and the device that are looked at.
void add_links(ReportTable& table, bool by_launch, const Parameters& given) {
  const LinkParameters kept{{"step", given.text("step")}, {"device", given.text("device")}};
  if (by_launch) {
    LinkParameters launched{{"operator", "$operator"}};
    launched.insert(launched.end(), kept.begin(), kept.end());
    table.row_links.push_back({"All kernels of this operator", "kernels", std::move(launched)});
    return;
  }
  LinkParameters launches{{"search", "$name"}, {"group_by", "launch"}, {"operator", given.text("operator")}};
  launches.insert(launches.end(), kept.begin(), kept.end());
  table.row_links.push_back({"Launches of this kernel", "kernels", std::move(launches)});
}

// The parts of the chart of tensor cores, which are also the values of the parameter that chooses one of them.
constexpr std::string_view core_use(CoreType type) {
  switch (type) {
    case CoreType::matrix: return "used";
    case CoreType::unknown: return "unknown";
    default: return "not used";
  }
}

ReportTable kernels_table(const Profile& profile, const KernelGroups& groups, bool by_launch, const Parameters& given) {
  const std::string& search = given.text("search");
  const std::string& cores = given.text("tensor_cores");
  const Shape shape = shape_of(groups, by_launch);
  ReportTable table = blank_table(shape);
  add_links(table, by_launch, given);
  for (RowLink& link : timeline_links()) table.row_links.push_back(std::move(link));
  std::vector<std::size_t> order(groups.sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return groups.sums[a].total > groups.sums[b].total; });
  for (const std::size_t group : order) {
    const bool found = contains_text(profile.text(groups.keys.text(group, 0)), search) ||
                       (by_launch && contains_text(profile.text(groups.keys.text(group, 1)), search));
    if (found && (cores.empty() || cores == core_use(groups.sums[group].core_type)))
      table.add_row(row_cells(profile, groups, group, shape));
  }
  return table;
}

ReportTable blank_core_table() {
  ReportTable table{.key = "tensor_cores", .title = "Tensor cores"};
  table.columns = {
      label_column("use", "Tensor cores", "Whether kernels run on tensor cores (matrix units)"),
      integer_column("time", "Time", Unit::ns, {"Time of the kernels in scope.", "sum of durations", kDuration}),
      real_column("share", "Share", Unit::share,
                  {"Share of the time of all kernels in scope.", "time / sum of times", "core type of kernels, by name",
                   "Over all kernels; kernels whose name does not tell are a part of their own."})};
  table.columns.front().code = false;
  table.columns.push_back(text_column("hue", "Hue", "The category whose colour stands for it in the chart"));
  table.columns.back().role = ColumnRole::category;
  table.columns.back().hidden = true;
  return table;
}

ReportTable core_table(const KernelGroups& groups, const Parameters& given) {
  ReportTable table = blank_core_table();
  LinkParameters kernels{{"tensor_cores", "$use"}};
  for (const std::string_view key : {"group_by", "operator", "step", "device"}) kernels.emplace_back(key, given.text(key));
  table.row_links.push_back({"Kernels of this part", "kernels", std::move(kernels)});
  const auto add = [&](std::string use, Time time, std::string hue) {
    table.add_row({Cell{std::move(use)}, Cell{time}, share_cell(time, groups.total), Cell{std::move(hue)}});
  };
  add("used", groups.matrix, "kernel");
  add("not used", groups.total - groups.matrix - groups.unknown_core, "other");
  if (groups.unknown_core > 0) add("unknown", groups.unknown_core, "idle");
  return table;
}

std::string attribution_words(const KernelGroups& groups) {
  const auto of = [&](OwnerRule rule) { return groups.by_rule[static_cast<std::size_t>(rule)]; };
  std::string text = "Attributed to the host range that launched them:";
  const auto add = [&](OwnerRule rule, std::string_view how) {
    if (of(rule) > 0) text += fmt::format(" {} {},", count_words(of(rule)), how);
  };
  add(OwnerRule::linked_id, "by a linked id");
  add(OwnerRule::containment, "by the range that was open when the launching call began");
  add(OwnerRule::device_id, "by an id on the kernel itself");
  add(OwnerRule::none, "not attributed");
  text.back() = '.';
  return text;
}

// ---- parameters ----

Result<KernelFilter> filter_of(const Profile& profile, const Parameters& given) {
  const auto device = optional_number("device", given.text("device"));
  if (!device) return device.error();
  const auto step = chosen_step(profile, given.text("step"));
  if (!step) return step.error();
  return KernelFilter{given.text("operator"), *device, *step};
}

std::string scope_of(const KernelGroups& groups, const KernelFilter& filter) {
  std::string scope = count_words(groups.calls, "kernel", "kernels");
  if (!filter.operator_name.empty()) scope += fmt::format(" of {}", filter.operator_name);
  if (filter.step) scope += fmt::format(", step {}", filter.step->number);
  if (filter.device) scope += fmt::format(", device {}", *filter.device);
  return scope + ", collectives included, copies not";
}

void add_panels(Report& report, int top) {
  Panel kernels{.kind = PanelKind::breakdown, .id = "total", .title = "Kernel time", .table = "kernels"};
  kernels.label = "name";
  kernels.value = "total";
  kernels.top = top;
  kernels.doc = report.find_table("kernels")->find("total")->doc;
  Panel cores{.kind = PanelKind::breakdown, .id = "tensor_cores", .title = "Tensor cores", .table = "tensor_cores"};
  cores.label = "use";
  cores.value = "time";
  cores.doc = report.find_table("tensor_cores")->find("share")->doc;
  Panel table{.kind = PanelKind::table, .id = "kernels", .title = "Kernels", .table = "kernels"};
  for (Panel* panel : {&kernels, &cores}) panel->width = "half";
  for (Panel* panel : {&kernels, &cores, &table}) {
    panel->empty = "No kernel matches.";
    report.panels.push_back(std::move(*panel));
  }
}

Result<Report> run(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Result<KernelFilter> filter = filter_of(*profile, input.parameters);
  if (!filter) return filter.error();
  const bool by_launch = input.parameters.text("group_by") == "launch";
  const KernelGroups groups = group_kernels(*profile, *host_tree(profile), *filter, by_launch);

  Report report{.view = "kernels", .title = "Kernels"};
  report.parameters.push_back(step_parameter(*profile, input.parameters));
  report.scope = scope_of(groups, *filter);
  report.notes.push_back({Note::Level::info, attribution_words(groups)});
  report.tables.push_back(kernels_table(*profile, groups, by_launch, input.parameters));
  report.tables.push_back(core_table(groups, input.parameters));
  add_panels(report, static_cast<int>(input.parameters.integer("top")));
  return report;
}

std::optional<std::string> unavailable(const Profile& profile) {
  if (has_kernels(profile)) return std::nullopt;
  return "no kernels in this profile: record device activity as well";
}

std::vector<ReportTable> tables() { return {blank_table(Shape{}), blank_core_table()}; }

}  // namespace

Analysis kernels_analysis() {
  return {
      .id = "kernels",
      .title = "Kernels",
      .group = ViewGroup::where_time_went,
      .doc = "Which kernels took the device's time, and how well they filled it.",
      .parameters =
          {{"group_by",
            "Group by",
            ParameterType::choice,
            "name",
            {{"name", "Kernel name"}, {"launch", "Kernel, operator and launch"}},
            "What makes two calls one row"},
           {"search", "Search", ParameterType::text, "", {}, "Part of the kernel's or the operator's name, in any letter case"},
           {"operator",
            "Operator",
            ParameterType::text,
            "",
            {},
            "Only kernels launched by a host range of this name, or inside one"},
           {"tensor_cores",
            "Tensor cores",
            ParameterType::choice,
            "",
            {{"", "all"}, {"used", "used"}, {"not used", "not used"}, {"unknown", "unknown"}},
            "Only kernels whose name says that they run on tensor cores, that they do not, or neither"},
           {"step", "Step", ParameterType::text, "", {}, "Only kernels launched in the step of this number"},
           {"device", "Device", ParameterType::text, "", {}, "Only kernels of the device of this number"},
           {"top", "Top", ParameterType::integer, "10", {}, "How many kernels the chart shows before the rest"}},
      .unavailable = unavailable,
      .run = run,
      .tables = tables};
}

}  // namespace sightline
