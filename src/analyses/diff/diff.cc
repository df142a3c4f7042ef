// Diff: where the time of two runs differs. One level of the DiffTree at a time: its parts side by side in logical order, the
// operators and kernels inside them, and for the whole the sums of both.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "analyses/diff/diff_structure.h"
#include "analyses/diff/diff_sums.h"
#include "analyses/diff/diff_tree.h"
#include "analyses/diff/diff_whole.h"
#include "analyses/diff/similar_profiles.h"
#include "analyses/steps/step_summary.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "model/report.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kNoDeviceWork = "one of the two was recorded without device activity";
constexpr std::string_view kDiffWork =
    "durations of device work; attributed by linked id, else by the range open when the launching call began";

// Which time the charts show.
struct Measure {
  std::string_view key;  // "time" or "device"
  bool device() const { return key == "device"; }
};

// Of a side that was recorded with device activity.
Time device_known(const DiffTree& tree, std::size_t side, Time time) {
  return tree.side(side).profile().device_work.rows() > 0 ? time : kUnknown;
}

bool any_device_work(const DiffTree& tree) {
  return tree.side(kBaseline).profile().device_work.rows() + tree.side(kCompared).profile().device_work.rows() > 0;
}

// ---- parts ----

// A part, what it costs on both sides, and the sums up to it.
struct PartRow {
  const DiffPart* part;
  OnBothSides<PartCosts> costs;
  OnBothSides<Time> sums;
  std::string node;

  template <typename Value>
  OnBothSides<Value> both(Value PartCosts::*value) const {
    return {costs[kBaseline].*value, costs[kCompared].*value};
  }
};

std::string_view only_in(const PartRow& row) {
  if (row.part->has(kBaseline) && row.part->has(kCompared)) return {};
  return row.part->has(kBaseline) ? "baseline" : "compared";
}

ReportColumn sum_column(std::string_view key, Message title, const Measure& measure) {
  const std::string_view of = measure.device() ? "device time" : "time";
  return integer_column(key, title, Unit::ns,
                        {"Sum of the parts up to this one.", say("sum of {} of this part and those above it", of),
                         "the table's own columns"})
      .with_unknown(kNoDeviceWork)
      .hide();
}

// The slices of a row, and both runs on one axis around that of the baseline.
template <typename Item, typename SlicesOf>
void add_moments(TableOf<Item, DiffTree>& table, const char* of_what, SlicesOf slices_of) {
  add_slices(table, of_what, slices_of);
  table.add(moment_column(), [=](const DiffTree& tree, const Item& item) {
    const Row slice = slices_of(item)[kBaseline];
    const Profile& profile = tree.side(kBaseline).profile();
    return slice == kNoRow ? std::string() : window_around(profile.slices.start[slice], profile.end_of(slice));
  });
  table.add_link({.title = "Both runs on one axis",
                  .view = "timeline",
                  .parameters = {{"timeline.ranks", "span"}, {"timeline.added", "<other>"}, {"timeline.window", "$moment"}}});
}

TableOf<PartRow, DiffTree> part_columns(const Measure& measure) {
  TableOf<PartRow, DiffTree> table({.key = "parts", .title = "In order"});
  table.add(
      label_column("name", "Part", "The ranges that match in both profiles; two names if the profiles name them differently")
          .with_words("own_name"),
      even_empty([](const PartRow& row) { return row.part->name; }));
  table.add(
      words_column("kind", "Kind",
                   "Steps are matched by position. Inside a step, modules of one name, data loading and optimizer are matched in "
                   "order (a longest common subsequence); the operators between two of these, and the backward pass there, are "
                   "one part each. If there are none of these, calls of one name are matched in order. Ranges of other threads "
                   "belong to the step in which they begin."),
      [](const PartRow& row) { return diff_kind_name(row.part->kind); });
  table.add(words_column("only_in", "Only in", "The profile that has it, if only one has it").with_unknown("it is in both"),
            only_in);
  add_pair(table, "time", "Time", Unit::ns,
           {"How long it took on the host; for a step, until host and device have finished it.",
            "a step: as in the overview; all else: sum of the durations of its ranges", "start and duration of ranges",
            "The TensorBoard plugin shows device time where there is any and host time elsewhere in one chart, and compares "
            "the first thread only."},
           [](const DiffTree&, const PartRow& row) { return row.both(&PartCosts::time); }, {.hued = true});
  add_pair(table, "device", "Device", Unit::ns,
           {"Device time caused inside it.",
            "sum of the durations of device work of the ranges in it; over streams, so it "
            "can exceed the elapsed time",
            kDiffWork},
           [](const DiffTree&, const PartRow& row) { return row.both(&PartCosts::device); },
           {.unknown = std::string(kNoDeviceWork), .hued = true});
  add_pair(table, "ranges", "Ranges", Unit::count,
           {"Number of ranges in it.", "number of ranges, without those inside them", "ranges of the host threads"},
           [](const DiffTree&, const PartRow& row) { return row.both(&PartCosts::ranges); }, {.hidden = true});
  table.add(sum_column("baseline_sum", "Accumulated: baseline", measure).with_category("baseline"),
            [](const PartRow& row) { return row.sums[kBaseline]; });
  table.add(sum_column("compared_sum", "Accumulated: compared", measure).with_category("compared"),
            [](const PartRow& row) { return row.sums[kCompared]; });
  ReportColumn change = sum_column("change_sum", "Accumulated: change", measure);
  change.change = true;
  table.add(std::move(change), [](const PartRow& row) { return change_of(row.sums); });
  table.add(code_column("node", "Node", "Path from the whole run to it, as numbers of parts").hide(), &PartRow::node);
  table.add(flag_column("has_parts", "Has parts", {"Whether something is inside it.", "", ""}).hide(),
            [](const DiffTree& tree, const PartRow& row) { return tree.has_parts(*row.part); });
  table.add(own_name_column(), [](const PartRow& row) { return row.part->has_own_name(); });
  table.add_link({.title = "Look inside",
                  .view = "diff",
                  .parameters = {{"node", "$node"}, {"time", std::string(measure.device() ? "device" : "host")}},
                  .when = "has_parts",
                  .direct = true});
  add_moments(table, "range", [](const PartRow& row) { return row.both(&PartCosts::longest); });
  return table;
}

ReportTable parts_table(const DiffTree& tree, const std::vector<DiffPart>& parts, const std::string& outer,
                        const Measure& measure) {
  const auto costs = part_costs(tree, parts);
  std::vector<PartRow> rows;
  OnBothSides<Time> sum{0, 0};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t side = 0; side < 2; ++side) {
      const Time time = measure.device() ? costs[i][side].device : costs[i][side].time;
      sum[side] = time == kUnknown || sum[side] == kUnknown ? kUnknown : sum[side] + time;
    }
    rows.push_back({&parts[i], costs[i], sum, outer.empty() ? std::to_string(i) : fmt::format("{}-{}", outer, i)});
  }
  return part_columns(measure).of(tree, rows);
}

// ---- operators and kernels ----

// With the columns of device time first, and hidden where neither profile has any.
struct OperatorShape {
  bool device_first = true;
  bool has_device_work = true;
};

TableOf<OperatorPair, DiffTree> operator_pair_columns(const OperatorShape& shape) {
  TableOf<OperatorPair, DiffTree> table({.key = "operators", .title = "Operators"});
  table.add(label_column("name", "Operator", "Name of the operator"), even_empty(&OperatorPair::name));
  const auto host = [](std::int64_t GroupSums::*value) {
    return [value](const DiffTree&, const OperatorPair& pair) {
      return OnBothSides<std::int64_t>{pair.sums[kBaseline].*value, pair.sums[kCompared].*value};
    };
  };
  const auto host_time = [](Time GroupSums::*time) {
    return [time](const DiffTree&, const OperatorPair& pair) {
      return OnBothSides<Time>{pair.sums[kBaseline].on_host(time), pair.sums[kCompared].on_host(time)};
    };
  };
  const auto device = [](Time GroupSums::*value) {
    return [value](const DiffTree& tree, const OperatorPair& pair) {
      return OnBothSides<Time>{device_known(tree, kBaseline, pair.sums[kBaseline].*value),
                               device_known(tree, kCompared, pair.sums[kCompared].*value)};
    };
  };
  const PairOptions of_device{.unknown = std::string(kNoDeviceWork), .hidden = !shape.has_device_work};
  const auto add_device = [&] {
    add_pair(table, "device_total", "Device total", Unit::ns,
             {"Device time launched by it and by everything inside it.", "as in the view of operators", kDiffWork},
             device(&GroupSums::device_total), of_device);
    add_pair(table, "device_self", "Device self", Unit::ns,
             {"Device time it launched itself.", "as in the view of operators", kDiffWork}, device(&GroupSums::device_self),
             of_device);
  };
  if (shape.device_first) add_device();
  const auto cost = [](double (CostSums::*value)() const) {
    return [value](const DiffTree&, const OperatorPair& pair) {
      return OnBothSides<double>{(pair.sums[kBaseline].costs.*value)(), (pair.sums[kCompared].costs.*value)()};
    };
  };
  const auto add_costs = [&] {
    const PairOptions options{.unknown = "none of its operators has a formula, or the device's peaks are not known"};
    const PairOptions hidden{.unknown = options.unknown, .hidden = true};
    add_pair(table, "to_win", "Time to win", Unit::ns,
             {"Device time that would be saved if each call took no longer than the peaks allow.", "as in the view of operators",
              kDiffWork},
             cost(&CostSums::time_to_win), options);
    add_pair(table, "flops_rate", "FLOP/s", Unit::flops_per_second,
             {"How fast the operators with a formula computed.", "as in the view of operators", kDiffWork},
             cost(&CostSums::flops_per_second), hidden);
    add_pair(table, "bytes_rate", "Bytes/s", Unit::bytes_per_second,
             {"How fast the operators with a formula moved data.", "as in the view of operators", kDiffWork},
             cost(&CostSums::bytes_per_second), hidden);
    add_pair(table, "of_attainable", "Of attainable", Unit::share,
             {"Share of the speed that the peaks of the device allow.", "as in the view of operators", kDiffWork},
             cost(&CostSums::of_attainable), hidden);
  };
  add_pair(
      table, "host_total", "Host total", Unit::ns,
      {"Host time in it, including everything inside it.", "sum of the durations of its calls", "duration of operator ranges"},
      host_time(&GroupSums::host_total), {.unknown = std::string(kOnlyReplayed)});
  add_pair(table, "host_self", "Host self", Unit::ns,
           {"Host time in it, excluding everything inside it.", "as in the view of operators",
            "start and duration of ranges and calls"},
           host_time(&GroupSums::host_self), {.unknown = std::string(kOnlyReplayed)});
  if (!shape.device_first) add_device();
  add_pair(table, "calls", "Calls", Unit::count,
           {"How often it was called inside the part.", "number of its ranges", "operator ranges of the host threads"},
           host(&GroupSums::calls));
  add_costs();
  add_moments(table, "call", [](const OperatorPair& pair) { return pair.longest; });
  return table;
}

TableOf<KernelPair, DiffTree> kernel_pair_columns() {
  TableOf<KernelPair, DiffTree> table({.key = "kernels", .title = "Kernels"});
  table.add(label_column("name", "Kernel", "Name of the kernel"), even_empty(&KernelPair::name));
  const auto device = [](std::int64_t KernelTotals::*value) {
    return [value](const DiffTree& tree, const KernelPair& pair) {
      return OnBothSides<std::int64_t>{device_known(tree, kBaseline, pair.totals[kBaseline].*value),
                                       device_known(tree, kCompared, pair.totals[kCompared].*value)};
    };
  };
  const PairOptions of_device{.unknown = std::string(kNoDeviceWork)};
  add_pair(table, "total", "Total", Unit::ns,
           {"Device time of its calls.", "sum of durations",
            "start to end of the kernel on the device; by the range that launched it", kNew},
           device(&KernelTotals::total), of_device);
  add_pair(table, "calls", "Calls", Unit::count,
           {"How often it ran.", "number of kernel events", "kernel events of all streams and devices", kNew},
           device(&KernelTotals::calls), of_device);
  add_pair(table, "mean", "Mean", Unit::ns, {"Average device time of a call.", "total / calls", "as total", kNew},
           [](const DiffTree&, const KernelPair& pair) {
             const auto mean = [&](std::size_t side) { return quotient(pair.totals[side].total, pair.totals[side].calls); };
             return OnBothSides<double>{mean(kBaseline), mean(kCompared)};
           },
           {.unknown = "it did not run"});
  add_moments(table, "call", [](const KernelPair& pair) {
    return OnBothSides<Row>{pair.totals[kBaseline].longest, pair.totals[kCompared].longest};
  });
  return table;
}

// ---- by structure ----

TableOf<StructurePair, DiffTree> structure_columns() {
  TableOf<StructurePair, DiffTree> table({.key = "structure", .title = "By structure"});
  table.add(
      code_column("baseline_operators", "Operators: baseline",
                  "The operators that launched the work. Ranges of the same name are matched in order, from the outside in, "
                  "first those whose inputs have the same shapes; what is between two matches in one profile is compared with "
                  "everything between them in the other.")
          .with_unknown("no operator of the baseline corresponds"),
      [](const StructurePair& pair) { return pair.operators[kBaseline]; });
  table.add(code_column("compared_operators", "Operators: compared", "The operators that launched the work instead")
                .with_unknown("no operator of the compared profile corresponds"),
            [](const StructurePair& pair) { return pair.operators[kCompared]; });
  table.add(code_column("shapes", "Input shapes", "Shapes of the inputs of a single operator; both if they differ")
                .with_unknown("several operators, or not recorded"),
            &StructurePair::shapes);
  const auto number = [](OnBothSides<std::int64_t> StructurePair::*value) {
    return [value](const DiffTree& tree, const StructurePair& pair) {
      return OnBothSides<std::int64_t>{device_known(tree, kBaseline, (pair.*value)[kBaseline]),
                                       device_known(tree, kCompared, (pair.*value)[kCompared])};
    };
  };
  const PairOptions of_device{.unknown = std::string(kNoDeviceWork), .hued = true};
  add_pair(table, "device", "Device", Unit::ns,
           {"Device time of the work that they launched.", "sum of durations; each piece of work of the part is in one row",
            kDiffWork, kNew},
           number(&StructurePair::device), of_device);
  table.add(
      words_column("kind", "Kind",
                   "Same kernels: one operator in both, and its kernels have the same names. Other kernels: one operator in "
                   "both. Replaced: other operators, such as what a compiler fused. Not attributed: work that no "
                   "range launched, or that a step launched itself."),
      [](const StructurePair& pair) { return structure_kind_name(pair.kind); });
  add_pair(table, "work", "Device work", Unit::count,
           {"How much they launched.", "number of kernels, copies, fills and collectives", kDiffWork, kNew},
           number(&StructurePair::works), {.unknown = std::string(kNoDeviceWork), .hidden = true});
  add_pair(table, "calls", "Calls", Unit::count,
           {"How often these operators launched work.", "number of ranges", "operator ranges of the host threads", kNew},
           [](const DiffTree&, const StructurePair& pair) { return pair.calls; }, {.hidden = true});
  table.add(code_column("inside", "Inside", "The innermost range around the first of them that both profiles have")
                .with_unknown("directly in the step or part"),
            &StructurePair::inside);
  table.add(
      code_column("baseline_kernels", "Kernels: baseline", "The kernels that they launched, the largest sum of durations first")
          .with_unknown("nothing in the baseline"),
      [](const StructurePair& pair) { return pair.kernels[kBaseline]; });
  table.add(
      code_column("compared_kernels", "Kernels: compared", "The kernels that they launched, the largest sum of durations first")
          .with_unknown("nothing in the compared profile"),
      [](const StructurePair& pair) { return pair.kernels[kCompared]; });
  add_moments(table, "piece of work", [](const StructurePair& pair) { return pair.longest; });
  return table;
}

// The largest difference first, whichever way it goes.
template <typename Pair, typename Change>
std::vector<Pair> by_change(std::vector<Pair> pairs, const Change& change) {
  sort_down(pairs, [&](const Pair& each) { return std::abs(change(each)); });
  return pairs;
}

ReportTable operators_table(const DiffTree& tree, const DiffPart& part, bool by_device) {
  const auto change = [by_device](const OperatorPair& pair) {
    const auto time = [by_device](const GroupSums& sums) { return by_device ? sums.device_total : sums.host_total; };
    return time(pair.sums[kCompared]) - time(pair.sums[kBaseline]);
  };
  return operator_pair_columns({by_device, any_device_work(tree)}).of(tree, by_change(operator_pairs(tree, part), change));
}

ReportTable kernels_table(const DiffTree& tree, const DiffPart& part) {
  const auto change = [](const KernelPair& pair) { return pair.totals[kCompared].total - pair.totals[kBaseline].total; };
  return kernel_pair_columns().of(tree, by_change(kernel_pairs(tree, part), change));
}

ReportTable structure_table(const DiffTree& tree, const DiffPart& part) {
  const auto change = [](const StructurePair& pair) { return pair.device[kCompared] - pair.device[kBaseline]; };
  return structure_columns().of(tree, by_change(structure_pairs(tree, part), change));
}

// ---- the report ----

void add_charts(Report& report, const Measure& measure) {
  const Message title = measure.device() ? "Device time" : "Time";
  const auto add = [&](auto chart, std::string_view id, Message name, std::string_view width) {
    chart.table = "parts";
    chart.x = "name";
    Panel panel{.id = std::string(id), .title = std::move(name)};
    panel.width = width;
    panel.doc = report.find_table("parts")->find(chart.series.front())->doc;
    panel.content = std::move(chart);
    report.panels.push_back(std::move(panel));
  };
  const std::string key(measure.key);
  add(BarChart{.series = {"baseline_" + key, "compared_" + key}}, "bars", say("{} by part", title), "full");
  add(LineChart{.series = {"baseline_sum", "compared_sum"}}, "trend", say("{}, accumulated", title), "half");
  add(LineChart{.series = {"change_" + key, "change_sum"}, .step = true}, "difference", say("{}, difference", title), "half");
}

void add_table_panel(Report& report, const ReportTable& table, Message empty) {
  Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
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

std::string change_words(double ns) { return (ns > 0 ? "+" : "\u2212") + time_words(std::abs(ns)); }

// The mean step of both, and the categories that changed most; empty where a side has no steps.
Message headline(const DiffTree& tree) {
  constexpr std::size_t kMost = 3;
  const auto before = step_breakdown(tree.side(kBaseline).pointer()), after = step_breakdown(tree.side(kCompared).pointer());
  if (tree.side(kBaseline).steps().empty() || tree.side(kCompared).steps().empty() || !(before->mean_total > 0)) return {};
  const double change = after->mean_total - before->mean_total;
  std::vector<std::pair<double, Role>> changes;
  for (std::size_t i = 0; i < kRoles; ++i) {
    const auto role = static_cast<Role>(i);
    if (!before->is_known(role) || !after->is_known(role)) continue;
    const double of_role = after->mean_of(role) - before->mean_of(role);
    if (std::abs(of_role) >= before->mean_total / 1000) changes.emplace_back(of_role, role);
  }
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  std::vector<Message> words;
  for (std::size_t i = 0; i < std::min(changes.size(), kMost); ++i)
    words.push_back(say("{} {}", Message(role_title(changes[i].second)), change_words(changes[i].first)));
  if (std::abs(change) < before->mean_total / 1000)
    return say("The mean step is as long as in the baseline: {}.", time_words(after->mean_total));
  const Message step =
      say("The mean step takes {} instead of {}: {} ({}{}).", time_words(after->mean_total), time_words(before->mean_total),
          change_words(change), change > 0 ? "+" : "\u2212", share_words(std::abs(change) / before->mean_total));
  if (words.empty()) return step;
  return sentences({step, say("Largest changes: {}.", listed_messages(", ", words))});
}

// Reasons why the two profiles are hard to compare.
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
      "The time that the charts show, and whose difference sorts the operators; without device activity, host time"};
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
  const bool whole = trail->size() == 1;
  if (Message words = headline(tree); whole && !words.empty()) report.notes.push_back({Note::Level::info, std::move(words)});
  add_diff_notes(report, tree);
  if (whole) add_summary(report, tree);
  if (!parts.empty()) {
    report.tables.push_back(parts_table(tree, parts, node, measure));
    add_charts(report, measure);
    add_table_panel(report, report.tables.back(), "");
  }
  if (any_device_work(tree)) {
    report.tables.push_back(structure_table(tree, trail->back()));
    add_table_panel(report, report.tables.back(), "No device work was launched in this part.");
  }
  report.tables.push_back(operators_table(tree, trail->back(), by_device));
  add_table_panel(report, report.tables.back(), "No operator runs in this part.");
  if (any_device_work(tree)) {
    report.tables.push_back(kernels_table(tree, trail->back()));
    add_table_panel(report, report.tables.back(), "No kernel was launched in this part.");
  }
  return report;
}

std::optional<Message> diff_unavailable(const Profile& profile) {
  if (profile.operators.rows() > 0 || profile.device_work.rows() > 0 || profile.steps.rows() > 0) return std::nullopt;
  return "neither operators nor device work were recorded";
}

std::vector<ReportTable> diff_tables() {
  std::vector<ReportTable> tables = blank_summary_tables();
  tables.push_back(part_columns({"time"}).blank());
  tables.push_back(structure_columns().blank());
  tables.push_back(operator_pair_columns({}).blank());
  tables.push_back(kernel_pair_columns().blank());
  tables.push_back(blank_proposal_table());
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

}  // namespace sightline::analyses
