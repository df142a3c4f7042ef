// Sums: one pass each over nodes and device work, besides those of sum_groups. Then columns, cells and the flame graph.
#include "analyses/steps/range_columns.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/costs/cost_columns.h"
#include "analyses/operators/host_tree.h"

namespace sightline::analyses {

// ---- groups and sums ----

namespace {

constexpr std::string_view kEvaluation = "autograd::engine::evaluate_function: ";
constexpr std::string_view kAccumulation = "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad";

class BackwardLinks {
 public:
  BackwardLinks(const Profile& profile, const HostTree& tree, const RangeTree& ranges)
      : profile_(profile), tree_(tree), group_(tree.nodes(), kNoRow) {
    for (std::size_t i = 0; i < profile.flows.rows(); ++i) {
      if (profile.flows.kind[i] != FlowKind::forward_backward) continue;
      any_ = true;
      const Row from = tree.node_of_owner(profile.flows.from[i]);
      const Row to = tree.node_of_owner(profile.flows.to[i]);
      if (from != kNoRow && to != kNoRow && ranges.group_around[from] != kNoRow) {
        group_[evaluation_around(to)] = ranges.group_around[from];
      }
    }
    if (any_) add_accumulations();
  }

  bool any() const { return any_; }
  // By node: the group whose backward pass begins there; kNoRow for most.
  const std::vector<Row>& groups() const { return group_; }

 private:
  std::string_view name_of(Row node) const { return profile_.text(profile_.slices.name[tree_.slice[node]]); }

  // The nearest evaluation at or around the node, else the node itself.
  Row evaluation_around(Row node) const {
    for (Row at = node; at != kNoRow; at = tree_.parent[at]) {
      if (name_of(at).starts_with(kEvaluation)) return at;
    }
    return node;
  }

  void add_accumulations() {
    enum Kind : std::uint8_t { other, evaluation, accumulation };
    std::vector<Kind> kinds(profile_.strings.size(), other);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const std::string_view text = profile_.text(static_cast<StringId>(i));
      if (text.starts_with(kEvaluation)) kinds[i] = text == kAccumulation ? accumulation : evaluation;
    }
    std::vector<Row> before(tree_.nodes(), kNoRow);  // by parent: the group of the evaluation before
    Row before_at_top = kNoRow, thread = kNoRow;
    for (Row node = 0; node < tree_.nodes(); ++node) {
      const Row slice = tree_.slice[node];
      const Kind kind = kinds[static_cast<std::size_t>(profile_.slices.name[slice])];
      if (kind == other || tree_.absorbed(node)) continue;
      const bool at_top = tree_.parent[node] == kNoRow;
      if (at_top && profile_.main_lane(profile_.slices.lane[slice]) != thread) {
        thread = profile_.main_lane(profile_.slices.lane[slice]);
        before_at_top = kNoRow;
      }
      Row& last = at_top ? before_at_top : before[tree_.parent[node]];
      if (kind == accumulation && group_[node] == kNoRow) group_[node] = last;
      last = group_[node];
    }
  }

  const Profile& profile_;
  const HostTree& tree_;
  std::vector<Row> group_;
  bool any_ = false;
};

}  // namespace

void finish_range_tree(const Profile& profile, const HostTree& tree, RangeTree& ranges) {
  const auto& duration = profile.slices.duration;
  ranges.longest.assign(ranges.groups(), kNoRow);
  ranges.group_around = ranges.group_of_node;
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row group = ranges.group_of_node[node];
    if (group == kNoRow) {
      if (tree.parent[node] != kNoRow) ranges.group_around[node] = ranges.group_around[tree.parent[node]];
      continue;
    }
    Row& longest = ranges.longest[group];
    if (longest == kNoRow || duration[tree.slice[node]] > duration[longest]) longest = tree.slice[node];
  }
}

std::vector<RangeSums> sum_ranges(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const RangeTree& ranges) {
  std::vector<RangeSums> sums(ranges.groups());
  const std::vector<GroupSums> plain = sum_groups(profile, tree, work, ranges.group_of_node, ranges.groups());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = {.calls = plain[i].calls,
               .replays = plain[i].replays,
               .host_total = plain[i].host_total,
               .host_own = plain[i].host_total,
               .host_self = plain[i].host_self,
               .device_total = plain[i].device_total,
               .device_busy = plain[i].device_busy,
               .costs = plain[i].costs};
  }
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row parent = tree.parent[node];
    if (parent == kNoRow || tree.absorbed(node)) continue;
    if (tree.is_operator(node) && ranges.group_of_node[parent] != kNoRow) ++sums[ranges.group_of_node[parent]].operators;
    if (ranges.group_of_node[node] != kNoRow && ranges.group_around[parent] != kNoRow) {
      sums[ranges.group_around[parent]].host_own -= profile.slices.duration[tree.slice[node]];
    }
  }
  for (std::size_t i = 0; i < profile.device_work.rows(); ++i) {
    const Row node = tree.node_of_owner(profile.device_work.owner[i]);
    if (node == kNoRow || ranges.group_around[node] == kNoRow) continue;
    sums[ranges.group_around[node]].device_own += profile.slices.duration[profile.device_work.slice[i]];
  }
  return sums;
}

std::vector<BackwardSums> sum_backward(const Profile& profile, const HostTree& tree, const RangeTree& ranges) {
  const BackwardLinks links(profile, tree, ranges);
  if (!links.any()) return {};
  std::vector<BackwardSums> sums(ranges.groups());
  std::vector<Row> around = links.groups();  // by node: the group of the innermost linked evaluation at or around it
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row parent = tree.parent[node];
    const Row outside = parent == kNoRow ? kNoRow : around[parent];
    const Time duration = profile.slices.duration[tree.slice[node]];
    if (around[node] == kNoRow) {
      around[node] = outside;
    } else {
      sums[around[node]].host += duration;
      if (outside != kNoRow) sums[outside].host -= duration;
    }
  }
  for (std::size_t i = 0; i < profile.device_work.rows(); ++i) {
    const Row node = tree.node_of_owner(profile.device_work.owner[i]);
    if (node == kNoRow || around[node] == kNoRow) continue;
    sums[around[node]].device += profile.slices.duration[profile.device_work.slice[i]];
  }
  for (std::size_t group = sums.size(); group-- > 0;) {
    if (ranges.parent[group] == kNoRow) continue;
    sums[ranges.parent[group]].host += sums[group].host;
    sums[ranges.parent[group]].device += sums[group].device;
  }
  return sums;
}

// ---- columns ----

namespace {

constexpr std::string_view kNoRangeWork = "recorded without device activity";
constexpr std::string_view kRanges = "start and duration of ranges and calls of its thread";
constexpr std::string_view kRangeWork =
    "durations of device work; attributed by linked id, else by the range open when the launching call began";
constexpr std::string_view kLinks = "forward-backward links of the profile; start and duration of backward operators";
constexpr std::string_view kTime = "time";  // the parameter
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
                            "duration of its ranges"})
                .with_unknown(kOnlyReplayed),
            [](const RangeRow& row) { return row.sums().on_host(&RangeSums::host_total); });
  table.add(integer_column("host_own", "Host own", Unit::ns,
                           {"Host time in it, including its own operators, excluding modules (or hooks) inside it.",
                            "host total - durations of the nearest modules (or hooks) inside it", kRanges, kNew})
                .with_unknown(kOnlyReplayed),
            [](const RangeRow& row) { return row.sums().on_host(&RangeSums::host_own); });
  table.add(
      integer_column(
          "host_self", "Host self", Unit::ns,
          {"Host time in it, excluding modules, operators and launching calls inside it: mostly Python.",
           "sum over calls of: duration - durations of the nearest ranges inside it - durations of the launching calls in it",
           kRanges, "The TensorBoard plugin subtracts all calls without an id from the first module."})
          .with_unknown(kNeverCalled)
          .hide(),
      [](const RangeRow& row) { return row.sums().calls == 0 ? kUnknown : row.sums().on_host(&RangeSums::host_self); });
}

void add_averages(TableOf<RangeRow>& table, bool has_device_work) {
  table.add(real_column("device_share", "Device share", Unit::share,
                        {"Share of all device time.", "device total / sum of the durations of all device work of the profile",
                         kRangeWork, kNew})
                .with_unknown(kNoRangeWork)
                .hide(),
            [](const RangeRow& row) { return quotient(row.sums().device_total, row.rows->device_time); });
  table.add(real_column("device_average", "Device per call", Unit::ns,
                        {"Mean device time of a call.", "device total / calls", kRangeWork})
                .with_unknown(std::string(has_device_work ? kNeverCalled : kNoRangeWork))
                .hide(!has_device_work),
            [](const RangeRow& row) { return quotient(of_device(row, row.sums().device_total), row.sums().calls); });
  table.add(real_column("host_average", "Host per call", Unit::ns,
                        {"Mean host time of a call.", "host total / calls", "duration of its ranges"})
                .with_unknown(kNeverCalled)
                .hide(has_device_work),
            [](const RangeRow& row) { return quotient(row.sums().on_host(&RangeSums::host_total), row.sums().calls); });
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
  table.add_all(cost_columns(), [](const RangeRow& row) { return row.sums().costs; });
  table.add(real_column("width", "Width", Unit::ns,
                        {"Its width in the flame graph.",
                         "device or host total; for averages, divided by the calls of the outermost row around it",
                         "as device total or host total"})
                .with_unknown("not in the flame graph")
                .hide(),
            [](const RangeRow& row) { return row.rows->width[row.group]; });
  table.add(longest_slice_column("call").with_unknown(kNeverCalled),
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
  rows.width.assign(groups, kUnknownNumber);
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
  Panel panel{.id = table.key + "_flame",
              .title = say("{} by {time}", table.title, time),
              .content = FlameChart{.table = table.key, .label = "name", .value = "width", .parent = "parent"}};
  panel.scope = choice.per_call ? "per call of the outermost" : "all calls";
  panel.empty = say("None of them took {} here.", time);
  return panel;
}

}  // namespace sightline::analyses
