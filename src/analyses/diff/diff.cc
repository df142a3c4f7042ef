// Diff: where the time of two runs differs. One level of the DiffTree at a time, its parts side by side in logical order, the
// operators and kernels inside, and for the whole what both come to.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyses/diff/diff_columns.h"
#include "analyses/diff/diff_summary.h"
#include "analyses/diff/diff_sums.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline {

namespace {

constexpr std::string_view kNoDeviceWork = "one of the two was recorded without device activity";
constexpr std::string_view kDiffWork =
    "durations of device work; attributed by linked id, else by the range open when the launching call began";

// Which time the charts show.
struct Measure {
  std::string_view key;  // "time" or "device"
  bool device() const { return key == "device"; }
};

Cell device_cell(const DiffTree& tree, std::size_t side, Time time) {
  return tree.side(side).profile().device_work.rows() > 0 ? Cell{time} : Cell{};
}

bool any_device_work(const DiffTree& tree) {
  return tree.side(kBaseline).profile().device_work.rows() + tree.side(kCompared).profile().device_work.rows() > 0;
}

// ---- parts ----

ReportColumn sum_column(std::string_view key, Message title, std::string_view of) {
  ReportColumn column = integer_column(
      key, title, Unit::ns,
      {"Sum of the parts up to this one.", say("sum of {} of this part and those above it", of), "the table's own columns"});
  column.hidden = true;
  column.unknown = kNoDeviceWork;
  return column;
}

ReportTable blank_parts(const Measure& measure) {
  ReportTable table{.key = "parts", .title = "In order"};
  table.columns.push_back(
      label_column("name", "Part", "The ranges that match in both profiles; two names if the profiles name them differently"));
  table.columns.push_back(
      words_column("kind", "Kind",
                   "Steps are matched by position. Inside a step, modules of one name, data loading and optimizer are matched in "
                   "order (a longest common subsequence); the operators between two of these, and the backward pass there, are "
                   "one part each. If there are none of these, calls of one name are matched in order. Ranges of other threads "
                   "belong to the step in which they begin."));
  table.columns.push_back(words_column("only_in", "Only in", "The profile that has it, if only one has it"));
  table.columns.back().unknown = "it is in both";
  add_pair_columns(
      table.columns, "time", "Time", Unit::ns,
      {"How long it took on the host; for a step, until host and device have finished it.",
       "a step: as in the overview; all else: sum of the durations of its ranges", "start and duration of ranges",
       "The TensorBoard plugin shows device time where there is any and host time elsewhere in one chart, and compares "
       "the first thread only."});
  add_pair_columns(table.columns, "device", "Device", Unit::ns,
                   {"Device time caused inside it.",
                    "sum of the durations of device work of the ranges in it; over streams, so it "
                    "can exceed the elapsed time",
                    kDiffWork},
                   kNoDeviceWork);
  add_pair_columns(
      table.columns, "ranges", "Ranges", Unit::count,
      {"How many ranges it is made of.", "number of ranges, without those inside them", "ranges of the host threads"});
  hide_pair(table, "ranges");
  const std::string_view of = measure.device() ? "device time" : "time";
  table.columns.push_back(sum_column("baseline_sum", "Accumulated: baseline", of));
  table.columns.push_back(sum_column("compared_sum", "Accumulated: compared", of));
  table.columns.push_back(sum_column("change_sum", "Accumulated: change", of));
  table.columns.back().change = true;
  table.columns.push_back(code_column("node", "Node", "Its path from the whole run, as numbers of parts"));
  table.columns.back().hidden = true;
  table.columns.push_back(flag_column("has_parts", "Has parts", {"Whether something is inside it.", "", ""}));
  table.columns.back().hidden = true;
  add_own_name_column(table.columns, "name");
  table.row_links.push_back({.title = "Look inside",
                             .view = "diff",
                             .parameters = {{"node", "$node"}, {"time", std::string(measure.device() ? "device" : "host")}},
                             .when = "has_parts",
                             .direct = true});
  add_slice_columns(table, "range");
  for (ReportColumn& column : table.columns) {
    for (const std::string_view side : {"baseline", "compared"}) {
      if (column.key.starts_with(side) && column.type == CellType::integer && column.unit == Unit::ns) column.category = side;
    }
  }
  return table;
}

Cell only_in(const DiffPart& part) {
  if (part.has(kBaseline) && part.has(kCompared)) return {};
  return Cell{std::string(part.has(kBaseline) ? "baseline" : "compared")};
}

ReportTable parts_table(const DiffTree& tree, const std::vector<DiffPart>& parts, const std::string& outer,
                        const Measure& measure) {
  ReportTable table = blank_parts(measure);
  const auto costs = part_costs(tree, parts);
  OnBothSides<Time> sum{0, 0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [before, after] = costs[i];
    std::vector<Cell> cells{Cell{parts[i].name}, Cell{std::string(diff_kind_name(parts[i].kind))}, only_in(parts[i])};
    append_pair_cells(cells, cell(before.time), cell(after.time));
    append_pair_cells(cells, cell(before.device), cell(after.device));
    append_pair_cells(cells, cell(before.ranges), cell(after.ranges));
    OnBothSides<Cell> sums;
    for (std::size_t side = 0; side < 2; ++side) {
      const Time time = measure.device() ? costs[i][side].device : costs[i][side].time;
      sum[side] = time == kUnknown || sum[side] == kUnknown ? kUnknown : sum[side] + time;
      sums[side] = cell(sum[side]);
      cells.push_back(sums[side]);
    }
    const bool known = sum[kBaseline] != kUnknown && sum[kCompared] != kUnknown;
    cells.push_back(known ? Cell{sum[kCompared] - sum[kBaseline]} : Cell{});
    cells.emplace_back(outer.empty() ? std::to_string(i) : fmt::format("{}-{}", outer, i));
    cells.emplace_back(tree.has_parts(parts[i]));
    cells.emplace_back(parts[i].has_own_name());
    append_slice_cells(cells, before.longest, after.longest);
    table.add_row(std::move(cells));
  }
  return table;
}

// ---- operators and kernels ----

ReportTable blank_operators(bool device) {
  ReportTable table{.key = "operators", .title = "Operators"};
  table.columns.push_back(label_column("name", "Operator", "Name of the operator"));
  const auto add_device = [&] {
    add_pair_columns(table.columns, "device_total", "Device total", Unit::ns,
                     {"Device time launched by it and by everything inside it.", "as in the view of operators", kDiffWork},
                     kNoDeviceWork);
    add_pair_columns(table.columns, "device_self", "Device self", Unit::ns,
                     {"Device time it launched itself.", "as in the view of operators", kDiffWork}, kNoDeviceWork);
  };
  if (device) add_device();
  add_pair_columns(
      table.columns, "host_total", "Host total", Unit::ns,
      {"Host time in it, including everything inside it.", "sum of the durations of its calls", "duration of operator ranges"});
  add_pair_columns(table.columns, "host_self", "Host self", Unit::ns,
                   {"Host time in it, excluding everything inside it.", "as in the view of operators",
                    "start and duration of ranges and calls"});
  if (!device) add_device();
  add_pair_columns(table.columns, "calls", "Calls", Unit::count,
                   {"How often it was called inside the part.", "number of its ranges", "operator ranges of the host threads"});
  add_slice_columns(table, "call");
  return table;
}

ReportTable blank_kernels() {
  ReportTable table{.key = "kernels", .title = "Kernels"};
  table.columns.push_back(label_column("name", "Kernel", "Name of the kernel"));
  add_pair_columns(table.columns, "total", "Total", Unit::ns,
                   {"Device time of its calls.", "sum of durations",
                    "start to end of the kernel on the device; by the range that launched it", "Not in the TensorBoard plugin."},
                   kNoDeviceWork);
  add_pair_columns(table.columns, "calls", "Calls", Unit::count,
                   {"How often it ran.", "number of kernel events", "kernel events of all streams and devices",
                    "Not in the TensorBoard plugin."},
                   kNoDeviceWork);
  add_pair_columns(table.columns, "mean", "Mean", Unit::ns,
                   {"Average device time of a call.", "total / calls", "as total", "Not in the TensorBoard plugin."},
                   "it did not run", CellType::real);
  add_slice_columns(table, "call");
  return table;
}

// The largest difference first, whichever way it goes.
template <typename Size>
std::vector<std::size_t> by_size(std::size_t rows, const Size& size) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(size(a)) > std::abs(size(b)); });
  return order;
}

ReportTable operators_table(const DiffTree& tree, const DiffPart& part, bool by_device) {
  ReportTable table = blank_operators(by_device);
  const std::vector<OperatorPair> pairs = operator_pairs(tree, part);
  const auto change = [&](std::size_t i) {
    const auto& [before, after] = pairs[i].sums;
    return by_device ? after.device_total - before.device_total : after.host_total - before.host_total;
  };
  for (const std::size_t i : by_size(pairs.size(), change)) {
    const OperatorPair& pair = pairs[i];
    std::vector<Cell> cells{Cell{pair.name}};
    const auto add = [&](auto member) {
      append_pair_cells(cells, Cell{pair.sums[kBaseline].*member}, Cell{pair.sums[kCompared].*member});
    };
    const auto add_device = [&](auto member) {
      append_pair_cells(cells, device_cell(tree, kBaseline, pair.sums[kBaseline].*member),
                        device_cell(tree, kCompared, pair.sums[kCompared].*member));
    };
    const auto add_device_columns = [&] {
      add_device(&GroupSums::device_total);
      add_device(&GroupSums::device_self);
    };
    if (by_device) add_device_columns();
    add(&GroupSums::host_total);
    add(&GroupSums::host_self);
    if (!by_device) add_device_columns();
    add(&GroupSums::calls);
    append_slice_cells(cells, pair.longest[kBaseline], pair.longest[kCompared]);
    table.add_row(std::move(cells));
  }
  if (!any_device_work(tree)) {
    for (const std::string_view key : {"device_total", "device_self"}) hide_pair(table, key);
  }
  return table;
}

ReportTable kernels_table(const DiffTree& tree, const DiffPart& part) {
  ReportTable table = blank_kernels();
  const std::vector<KernelPair> pairs = kernel_pairs(tree, part);
  const auto change = [&](std::size_t i) { return pairs[i].totals[kCompared].total - pairs[i].totals[kBaseline].total; };
  for (const std::size_t i : by_size(pairs.size(), change)) {
    const auto& [before, after] = pairs[i].totals;
    const auto mean = [](const KernelTotals& of) {
      return of.calls == 0 ? Cell{} : Cell{static_cast<double>(of.total) / static_cast<double>(of.calls)};
    };
    std::vector<Cell> cells{Cell{pairs[i].name}};
    append_pair_cells(cells, device_cell(tree, kBaseline, before.total), device_cell(tree, kCompared, after.total));
    append_pair_cells(cells, device_cell(tree, kBaseline, before.calls), device_cell(tree, kCompared, after.calls));
    append_pair_cells(cells, mean(before), mean(after));
    append_slice_cells(cells, before.longest, after.longest);
    table.add_row(std::move(cells));
  }
  return table;
}

// ---- the report ----

void add_charts(Report& report, const Measure& measure) {
  const Message title = measure.device() ? "Device time" : "Time";
  const auto add = [&](PanelKind kind, std::string_view id, Message name, std::vector<std::string> series,
                       std::string_view width) {
    Panel panel{.kind = kind, .id = std::string(id), .title = std::move(name), .table = "parts"};
    panel.x = "name";
    panel.series = std::move(series);
    panel.width = width;
    panel.doc = report.find_table("parts")->find(panel.series.front())->doc;
    report.panels.push_back(std::move(panel));
  };
  const std::string key(measure.key);
  add(PanelKind::bars, "bars", say("{} by part", title), {"baseline_" + key, "compared_" + key}, "full");
  add(PanelKind::lines, "trend", say("{}, accumulated", title), {"baseline_sum", "compared_sum"}, "half");
  add(PanelKind::lines, "difference", say("{}, difference", title), {"change_" + key, "change_sum"}, "half");
  report.panels.back().step = true;
}

void add_table_panel(Report& report, const ReportTable& table, Message empty) {
  Panel panel{.kind = PanelKind::table, .id = table.key, .title = table.title, .table = table.key};
  panel.empty = std::move(empty);
  report.panels.push_back(std::move(panel));
}

std::string device_names(const Profile& profile) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < profile.devices.rows(); ++i) {
    std::string name(profile.text(profile.devices.name[i]));
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What makes the two hard to compare.
void add_diff_notes(Report& report, const DiffTree& tree) {
  const auto& before = tree.side(kBaseline);
  const auto& after = tree.side(kCompared);
  const auto add = [&](Note::Level level, Message text) { report.notes.push_back({level, std::move(text)}); };
  if (before.steps().size() != after.steps().size()) {
    add(Note::Level::warning, say("The baseline has {}, the compared profile {}: sums are over all of them.",
                                  count_words(std::ssize(before.steps()), "{} step", "{} steps"),
                                  count_words(std::ssize(after.steps()), "{} step", "{} steps")));
  }
  OnBothSides<const char*> names{"baseline", "compared profile"};
  for (std::size_t which = 0; which < 2; ++which) {
    const Profile& profile = tree.side(which).profile();
    const auto cut = static_cast<std::int64_t>(profile.steps.rows()) - std::ssize(tree.side(which).steps());
    if (cut > 0) {
      add(Note::Level::info, say("In the {}, {} cut off by the end of the recording and counted outside of the steps.",
                                 names[which], count_words(cut, "{} step is", "{} steps are")));
    }
    if (profile.device_work.rows() == 0 && any_device_work(tree)) {
      add(Note::Level::warning, say("The {} was recorded without device activity.", names[which]));
    }
  }
  const std::string device_before = device_names(before.profile()), device_after = device_names(after.profile());
  if (device_before != device_after && !device_before.empty() && !device_after.empty()) {
    add(Note::Level::info, say("The devices differ: {}, compared with {}.", device_before, device_after));
  }
}

Parameter time_parameter(bool has_device_work) {
  Parameter parameter{
      "time",
      "Charts show",
      ParameterType::choice,
      "host",
      {{"host", "Time"}, {"device", "Device time"}},
      "Which time the charts show and by which difference operators are sorted; without device activity it is time"};
  if (!has_device_work) parameter.choices.pop_back();
  return parameter;
}

Result<Report> run_diff(const AnalysisInput& input) {
  const DiffTree tree(input.profiles[kBaseline], input.profiles[kCompared]);
  const std::string& node = input.parameters.text("node");
  const Result<std::vector<DiffPart>> trail = tree.trail(node);
  if (!trail) return trail.error();
  const bool by_device = input.parameters.text("time") == "device" && any_device_work(tree);
  const Measure measure{by_device ? "device" : "time"};
  const std::vector<DiffPart> parts = tree.parts(trail->back());

  Report report{.view = "diff", .title = "Diff"};
  if (!any_device_work(tree)) report.parameters.push_back(time_parameter(false));
  std::size_t until = 0;
  for (std::size_t i = 0; i < trail->size(); ++i) {
    if (i > 0) until = std::min(node.find('-', i == 1 ? 0 : until + 1), node.size());
    report.trail.push_back({(*trail)[i].name, {{"node", node.substr(0, i == 0 ? 0 : until)}}});
  }
  report.scope = say("{}: {}", Message(trail->back().name), count_words(std::ssize(parts), "{} part", "{} parts"));
  add_diff_notes(report, tree);
  const bool whole = trail->size() == 1;
  if (whole) add_summary(report, tree);
  if (!parts.empty()) {
    report.tables.push_back(parts_table(tree, parts, node, measure));
    add_charts(report, measure);
    add_table_panel(report, report.tables.back(), "");
  }
  report.tables.push_back(operators_table(tree, trail->back(), by_device));
  add_table_panel(report, report.tables.back(), "No operator runs in this part.");
  if (any_device_work(tree)) {
    report.tables.push_back(kernels_table(tree, trail->back()));
    add_table_panel(report, report.tables.back(), "No kernel was launched in this part.");
  }
  return report;
}

std::optional<std::string> diff_unavailable(const Profile& profile) {
  if (profile.operators.rows() > 0 || profile.device_work.rows() > 0 || profile.steps.rows() > 0) return std::nullopt;
  return "neither operators nor device work were recorded";
}

std::vector<ReportTable> diff_tables() {
  std::vector<ReportTable> tables = blank_summary_tables();
  tables.push_back(blank_parts({"time"}));
  tables.push_back(blank_operators(true));
  tables.push_back(blank_kernels());
  return tables;
}

}  // namespace

Analysis diff_analysis() {
  return {.id = "diff",
          .title = "Diff",
          .group = ViewGroup::compare,
          .doc = "Where the time of two runs differs: by step, module, operator and kernel.",
          .parameters =
              {time_parameter(true),
               {"node", "Node", ParameterType::text, "", {}, "The part shown, as a path such as 0-3; empty: the whole run"}},
          .unavailable = diff_unavailable,
          .run = run_diff,
          .tables = diff_tables};
}

}  // namespace sightline
