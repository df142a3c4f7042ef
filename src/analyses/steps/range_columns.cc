// Columns, cells and the flame graph of a RangeTree.
#include "analyses/steps/range_columns.h"

#include <algorithm>
#include <limits>

#include "analyses/columns.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kNoRangeWork = "recorded without device activity";
constexpr std::string_view kRanges = "start and duration of ranges and calls of its thread";
constexpr std::string_view kRangeWork =
    "durations of device work; attributed by linked id, else by the range open when the launching call began";
constexpr std::string_view kLinks = "forward-backward links of the profile; start and duration of backward operators";
constexpr std::string_view kTime = "time";  // the parameter
constexpr std::string_view kNew = "Not in the TensorBoard plugin.";

constexpr std::string_view kNeverCalled = "it is never called itself";

Time of_device(const RangeRow& row, Time time) { return row.has_device_work() ? time : kUnknown; }

void add_device_times(TableOf<RangeRow>& table, bool has_device_work) {
  const std::string unknown(kNoRangeWork);
  table.add(integer_column("device_total", "Device total", Unit::ns,
                           {"Device time caused inside it, including everything inside it.",
                            "sum of the durations of device work attributed to it or to anything inside it; the backward pass is "
                            "separate",
                            kRangeWork,
                            "Includes work that annotations launched, or that carries no id; the TensorBoard plugin loses it or "
                            "gives it to "
                            "others."})
                .with_unknown(unknown)
                .with_bar("device_share")
                .hide(!has_device_work),
            [](const RangeRow& row) { return of_device(row, row.sums().device_total); });
  table.add(integer_column("device_self", "Device self", Unit::ns,
                           {"Device time caused inside it, excluding modules (or hooks) inside it.",
                            "as device total, without what modules (or hooks) inside it caused", kRangeWork,
                            "The TensorBoard plugin counts modules inside one of its operators as its own."})
                .with_unknown(unknown)
                .hide(!has_device_work),
            [](const RangeRow& row) { return of_device(row, row.sums().device_own); });
  table.add(
      integer_column("device_busy", "Device busy", Unit::ns,
                     {"Elapsed time in which the device worked for it.",
                      "length of the union of the intervals counted in device total", "start and duration of device work", kNew})
          .with_unknown(unknown)
          .hide(),
      [](const RangeRow& row) { return of_device(row, row.sums().device_busy); });
}

void add_host_times(TableOf<RangeRow>& table) {
  table.add(integer_column("host_total", "Host total", Unit::ns,
                           {"Host time in it, including everything inside it.", "sum of the durations of its calls",
                            "duration of its ranges"}),
            [](const RangeRow& row) { return row.sums().host_total; });
  table.add(integer_column("host_own", "Host own", Unit::ns,
                           {"Host time in it, including its own operators, excluding modules (or hooks) inside it.",
                            "host total - durations of the nearest modules (or hooks) inside it", kRanges, kNew}),
            [](const RangeRow& row) { return row.sums().host_own; });
  table.add(
      integer_column(
          "host_self", "Host self", Unit::ns,
          {"Host time in it, excluding modules, operators and launching calls inside it: mostly Python.",
           "sum over calls of: duration - durations of the nearest ranges inside it - durations of the launching calls in it",
           kRanges, "The TensorBoard plugin subtracts all calls without an id from the first module."})
          .with_unknown(std::string(kNeverCalled))
          .hide(),
      [](const RangeRow& row) { return row.sums().calls == 0 ? kUnknown : row.sums().host_self; });
}

void add_averages(TableOf<RangeRow>& table, bool has_device_work) {
  table.add(real_column("device_share", "Device share", Unit::share,
                        {"Share of all device time.", "device total / sum of the durations of all device work of the profile",
                         kRangeWork, kNew})
                .with_unknown(std::string(kNoRangeWork))
                .hide(),
            [](const RangeRow& row) { return quotient(row.sums().device_total, row.rows->device_time); });
  table.add(real_column("device_average", "Device per call", Unit::ns,
                        {"Mean device time of a call.", "device total / calls", kRangeWork})
                .with_unknown(std::string(has_device_work ? kNeverCalled : kNoRangeWork))
                .hide(!has_device_work),
            [](const RangeRow& row) { return quotient(of_device(row, row.sums().device_total), row.sums().calls); });
  table.add(real_column("host_average", "Host per call", Unit::ns,
                        {"Mean host time of a call.", "host total / calls", "duration of its ranges"})
                .with_unknown(std::string(kNeverCalled))
                .hide(has_device_work),
            [](const RangeRow& row) { return quotient(row.sums().host_total, row.sums().calls); });
}

void add_backward(TableOf<RangeRow>& table, bool has_device_work) {
  const std::string unknown = "recorded without links from forward to backward operators";
  table.add(integer_column(
                "backward_device", "Backward device", Unit::ns,
                {"Device time of the backward pass of its operators and of the operators of modules inside it.",
                 "sum of the durations of device work caused in the autograd evaluations that its forward operators lead to, "
                 "and in the "
                 "accumulations of gradients right after them",
                 kLinks, "The TensorBoard plugin shows the backward pass in its tree only."})
                .with_unknown(unknown)
                .hide(!has_device_work),
            [](const RangeRow& row) {
              return row.rows->backward.empty() ? kUnknown : of_device(row, row.rows->backward[row.group].device);
            });
  table.add(integer_column("backward_host", "Backward host", Unit::ns,
                           {"Host time of the backward pass of its operators and of the operators of modules inside it.",
                            "sum of the durations of these evaluations; one inside another counts for the inner one", kLinks,
                            "The TensorBoard plugin shows the backward pass in its tree only."})
                .with_unknown(unknown),
            [](const RangeRow& row) { return row.rows->backward.empty() ? kUnknown : row.rows->backward[row.group].host; });
}

}  // namespace

RangeRows range_rows(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work, const RangeTree& ranges,
                     std::vector<std::string> names) {
  RangeRows rows{profile, ranges, sum_ranges(profile, tree, work, ranges), sum_backward(profile, tree, ranges), std::move(names)};
  for (const WorkInterval& interval : work) rows.device_time += interval.end - interval.start;
  return rows;
}

TableOf<RangeRow> range_columns(bool has_device_work) {
  TableOf<RangeRow> table;
  table.add(integer_column("calls", "Calls", Unit::count,
                           {"How often it was called.", "number of its ranges on all threads", "module calls, or named ranges"}),
            [](const RangeRow& row) { return row.sums().calls; });
  table.add(
      integer_column("operators", "Operators", Unit::count,
                     {"Operators that it calls itself.",
                      "number of operator ranges directly inside it, over all calls; those inside other operators do not count",
                      "operator ranges of the host threads"}),
      [](const RangeRow& row) { return row.sums().operators; });
  add_device_times(table, has_device_work);
  add_host_times(table);
  add_averages(table, has_device_work);
  add_backward(table, has_device_work);
  table.add(real_column("width", "Width", Unit::ns,
                        {"Its width in the flame graph.",
                         "device or host total; for averages, divided by the calls of the outermost row around it",
                         "as device total or host total"})
                .with_unknown("not in the flame graph")
                .hide(),
            [](const RangeRow& row) { return row.rows->width[row.group]; });
  table.add(longest_slice_column("call").with_unknown(std::string(kNeverCalled)),
            [](const RangeRow& row) { return row.rows->ranges.longest[row.group]; });
  table.add(integer_column("parent", "Parent", Unit::id, {"The row around it", "", ""}).hide(),
            [](const RangeRow& row) { return row.rows->ranges.parent[row.group]; });
  return table;
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
           "Whether a box represents all calls, or the average per call of the outermost box around it"}};
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

}  // namespace sightline::analyses
