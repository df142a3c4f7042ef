// Columns, cells and the flame graph of a RangeTree.
#include "analyses/steps/range_columns.h"

#include <algorithm>
#include <limits>

#include "analyses/columns.h"

namespace sightline {

namespace {

constexpr std::string_view kNoRangeWork = "recorded without device activity";
constexpr std::string_view kRanges = "start and duration of ranges and calls of its thread";
constexpr std::string_view kRangeWork =
    "durations of device work; attributed by linked id, else by the range open when the launching call began";
constexpr std::string_view kLinks = "forward-backward links of the profile; start and duration of backward operators";
constexpr std::string_view kTime = "time";  // the parameter
constexpr std::string_view kNew = "Not in the TensorBoard plugin.";

ReportColumn range_time_column(std::string_view key, Message title, const MetricDoc& doc, bool hidden = false) {
  ReportColumn column = integer_column(key, title, Unit::ns, doc);
  column.hidden = hidden;
  return column;
}

ReportColumn device_column(std::string_view key, Message title, const MetricDoc& doc, bool hidden) {
  ReportColumn column = range_time_column(key, title, doc, hidden);
  column.unknown = kNoRangeWork;
  return column;
}

Cell average(Time time, std::int64_t calls) {
  return calls == 0 ? Cell{} : Cell{static_cast<double>(time) / static_cast<double>(calls)};
}

}  // namespace

RangeRows range_rows(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work, const RangeTree& ranges,
                     std::vector<std::string> names) {
  RangeRows rows{profile, ranges, sum_ranges(profile, tree, work, ranges), sum_backward(profile, tree, ranges), std::move(names)};
  for (const WorkInterval& interval : work) rows.device_time += interval.end - interval.start;
  return rows;
}

std::vector<ReportColumn> range_columns(bool has_device_work) {
  std::vector<ReportColumn> columns{
      integer_column("calls", "Calls", Unit::count,
                     {"How often it was called.", "number of its ranges on all threads", "module calls, or named ranges"}),
      integer_column("operators", "Operators", Unit::count,
                     {"Operators that it calls itself.",
                      "number of operator ranges directly inside it, over all calls; those inside other operators do not count",
                      "operator ranges of the host threads"}),
      device_column(
          "device_total", "Device total",
          {"Device time caused inside it, including everything inside it.",
           "sum of the durations of device work attributed to it or to anything inside it; the backward pass is separate",
           kRangeWork,
           "Includes work that annotations launched, or that carries no id; the TensorBoard plugin loses it or gives it to "
           "others."},
          !has_device_work),
      device_column("device_self", "Device self",
                    {"Device time caused inside it, excluding modules (or hooks) inside it.",
                     "as device total, without what modules (or hooks) inside it caused", kRangeWork,
                     "The TensorBoard plugin counts modules inside one of its operators as its own."},
                    !has_device_work),
      device_column("device_busy", "Device busy",
                    {"Elapsed time in which the device worked for it.",
                     "length of the union of the intervals counted in device total", "start and duration of device work", kNew},
                    true),
      range_time_column(
          "host_total", "Host total",
          {"Host time in it, including everything inside it.", "sum of the durations of its calls", "duration of its ranges"}),
      range_time_column("host_own", "Host own",
                        {"Host time in it, including its own operators, excluding modules (or hooks) inside it.",
                         "host total - durations of the nearest modules (or hooks) inside it", kRanges, kNew}),
      range_time_column(
          "host_self", "Host self",
          {"Host time in it, excluding modules, operators and launching calls inside it: mostly Python.",
           "sum over calls of: duration - durations of the nearest ranges inside it - durations of the launching calls in it",
           kRanges, "The TensorBoard plugin subtracts all calls without an id from the first module."},
          true),
      real_column("device_share", "Device share", Unit::share,
                  {"Its part of all device time.", "device total / sum of the durations of all device work of the profile",
                   kRangeWork, kNew}),
      real_column("device_average", "Device per call", Unit::ns,
                  {"Mean device time of a call.", "device total / calls", kRangeWork}),
      real_column("host_average", "Host per call", Unit::ns,
                  {"Mean host time of a call.", "host total / calls", "duration of its ranges"}),
      device_column("backward_device", "Backward device",
                    {"Device time of the backward pass of its operators, and of those of the modules inside it.",
                     "sum of the durations of device work caused in the autograd evaluations that its forward operators lead to, "
                     "and in the "
                     "accumulations of gradients right after them",
                     kLinks, "The TensorBoard plugin shows the backward pass in its tree only."},
                    !has_device_work),
      range_time_column("backward_host", "Backward host",
                        {"Host time of the backward pass of its operators, and of those of the modules inside it.",
                         "sum of the durations of these evaluations; one inside another counts for the inner one", kLinks,
                         "The TensorBoard plugin shows the backward pass in its tree only."})};
  const auto column = [&](std::string_view key) -> ReportColumn& {
    return *std::find_if(columns.begin(), columns.end(), [&](const ReportColumn& each) { return each.key == key; });
  };
  column("device_total").bar = "device_share";
  column("device_share").hidden = true;
  column("device_share").unknown = kNoRangeWork;
  column("device_average").hidden = column("host_average").hidden = !has_device_work;
  column("host_average").hidden = has_device_work;
  column("device_average").unknown = has_device_work ? "it is never called itself" : kNoRangeWork;
  column("host_average").unknown = column("host_self").unknown = "it is never called itself";
  column("backward_device").unknown = column("backward_host").unknown =
      "recorded without links from forward to backward operators";
  columns.push_back(real_column("width", "Width", Unit::ns,
                                {"Its width in the flame graph.",
                                 "device or host total, divided by the calls of the outermost one around it if that is chosen",
                                 "as device total or host total"}));
  columns.back().hidden = true;
  columns.back().unknown = "not in the flame graph";
  columns.push_back(longest_slice_column("call"));
  columns.back().unknown = "it is never called itself";
  columns.push_back(integer_column("parent", "Parent", Unit::id, {"The row around it", "", ""}));
  columns.back().hidden = true;
  return columns;
}

void append_range_cells(std::vector<Cell>& cells, const RangeRows& rows, Row group) {
  const RangeSums& sums = rows.sums[group];
  const bool has_device_work = rows.profile.device_work.rows() > 0;
  const auto device = [&](Time time) { return has_device_work ? cell(time) : Cell{}; };
  const bool links = !rows.backward.empty();
  cells.emplace_back(sums.calls);
  cells.emplace_back(sums.operators);
  cells.push_back(device(sums.device_total));
  cells.push_back(device(sums.device_own));
  cells.push_back(device(sums.device_busy));
  cells.emplace_back(sums.host_total);
  cells.emplace_back(sums.host_own);
  cells.push_back(sums.calls == 0 ? Cell{} : Cell{sums.host_self});
  cells.push_back(share_cell(sums.device_total, rows.device_time));
  cells.push_back(has_device_work ? average(sums.device_total, sums.calls) : Cell{});
  cells.push_back(average(sums.host_total, sums.calls));
  cells.push_back(links ? device(rows.backward[group].device) : Cell{});
  cells.push_back(links ? Cell{rows.backward[group].host} : Cell{});
  cells.push_back(cell(rows.width[group]));
  const auto row = [](Row number) { return number == kNoRow ? Cell{} : Cell{std::int64_t{number}}; };
  cells.push_back(row(rows.ranges.longest[group]));
  cells.push_back(row(rows.ranges.parent[group]));
}

std::vector<Parameter> flame_parameters() {
  return {{std::string(kTime),
           "Flame graph of",
           ParameterType::choice,
           "",
           {{"", "Device time where there is any"}, {"device", "Device time"}, {"host", "Host time"}},
           "What the width of a box means; without device activity it is host time"},
          {"width",
           "Width",
           ParameterType::choice,
           "total",
           {{"total", "Total"}, {"average", "Average per call of the root"}},
           "Whether a box represents all calls, or one call of the outermost one around it"}};
}

bool choose_device_time(Report& report, const Profile& profile, const Parameters& given) {
  const bool has_device_work = profile.device_work.rows() > 0;
  const bool device_time = has_device_work && given.text(kTime) != "host";
  Parameter parameter = flame_parameters().front();
  parameter.value = device_time ? "device" : "host";
  std::erase_if(parameter.choices, [&](const ParameterChoice& choice) {
    return choice.value.empty() || (choice.value == "device" && !has_device_work);
  });
  report.parameters.push_back(std::move(parameter));
  if (!has_device_work && given.text(kTime) == "device") {
    report.notes.push_back({Note::Level::info, "Recorded without device activity: the flame graph shows host time."});
  }
  return device_time;
}

void set_widths(RangeRows& rows, const FlameChoice& choice) {
  const std::size_t groups = rows.ranges.groups();
  rows.width.assign(groups, std::numeric_limits<double>::quiet_NaN());
  std::vector<Row> outermost(groups, kNoRow);
  for (Row group = 0; group < groups; ++group) {
    const Row parent = rows.ranges.parent[group];
    outermost[group] = parent == kNoRow ? group : outermost[parent];
    if (choice.root != kNoRow && outermost[group] != choice.root) continue;
    const RangeSums& sums = rows.sums[group];
    const std::int64_t calls = choice.per_call ? std::max<std::int64_t>(1, rows.sums[outermost[group]].calls) : 1;
    rows.width[group] =
        static_cast<double>(choice.device_time ? sums.device_total : sums.host_total) / static_cast<double>(calls);
  }
}

void title_width(ReportTable& table, const FlameChoice& choice) {
  for (ReportColumn& column : table.columns) {
    if (column.key == "width")
      column.title = choice.per_call
                         ? (choice.device_time ? "Device per call of the outermost" : "Host per call of the outermost")
                         : (choice.device_time ? "Device total" : "Host total");
  }
}

Panel flame_panel(const ReportTable& table, const FlameChoice& choice) {
  const char* time = choice.device_time ? "device time" : "host time";
  Panel panel{
      .kind = PanelKind::flame, .id = table.key + "_flame", .title = say("{} by {time}", table.title, time), .table = table.key};
  panel.label = "name";
  panel.value = "width";
  panel.parent = "parent";
  panel.scope = choice.per_call ? "per call of the outermost" : "all calls";
  panel.empty = say("None of them took {} here.", time);
  return panel;
}

}  // namespace sightline
