// Mean step by category, sums, counts and peak memory. Each row has a stable name (column `metric`) for use in limits.
#include "analyses/diff/diff_whole.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>

#include "analyses/diff/diff_sums.h"
#include "analyses/steps/step_summary.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

// A figure of both profiles, and its name in a limit.
template <typename Value>
struct DiffFigure {
  std::string name, metric;
  OnBothSides<Value> values;
};
using RealFigure = DiffFigure<double>;
using WholeFigure = DiffFigure<std::int64_t>;

template <typename Value>
TableOf<DiffFigure<Value>> figures(std::string_view table_key, Message table_title, std::string_view key, Unit unit,
                                   const MetricDoc& doc, const PairOptions& options) {
  TableOf<DiffFigure<Value>> table({.key = std::string(table_key), .title = std::move(table_title)});
  table.add(label_column("name", "Name", "What is compared").with_code(false).with_words(kAllRows),
            even_empty(&DiffFigure<Value>::name));
  add_pair(
      table, key, "", unit, doc, [](const DiffFigure<Value>& figure) { return figure.values; }, options);
  table.add(code_column("metric", "Metric", "Its name in a limit of `sightline diff --fail-on`").hide(),
            &DiffFigure<Value>::metric);
  return table;
}

TableOf<RealFigure> step_figures(bool hued) {
  return figures<double>(
      "step_time", "Mean step", "time", Unit::ns,
      {"How long a step takes on average, and how the time is spent.",
       "sum over steps / number of steps; each instant of a step counts for one category, as in the overview",
       "start and duration of steps, host ranges and device work; steps that the end of the recording cut off are left out"},
      {.unknown = "recorded without steps, or without the host or device activity for it", .hued = hued});
}

TableOf<WholeFigure> sum_figures() {
  return figures<std::int64_t>(
      "sums", "Sums", "time", Unit::ns,
      {"Time of the whole recording.",
       "device time: sum of the durations of all device work; kernel time: of kernels and collectives alone; host "
       "time: sum of the durations of the outermost ranges other than steps",
       "start and duration of host ranges and device work"},
      {.unknown = "recorded without it"});
}

TableOf<WholeFigure> count_figures() {
  return figures<std::int64_t>("counts", "Counts", "count", Unit::count,
                               {"How often something happened in the whole recording.",
                                "number of rows; an operator whose only child is one of the same name counts once",
                                "steps, operators, launching "
                                "calls, device work"},
                               {.unknown = "recorded without it"});
}

TableOf<WholeFigure> memory_figures() {
  return figures<std::int64_t>("memory", "Peak memory", "bytes", Unit::bytes,
                               {"The most that was allocated on a device at one time.",
                                "largest total of the allocator after an event", "totals that the allocator's events carry"},
                               {.unknown = "recorded without memory events of this device"});
}

ReportTable steps_table(const DiffTree& tree) {
  std::vector<RealFigure> rows;
  const auto before = step_breakdown(tree.side(kBaseline).pointer()), after = step_breakdown(tree.side(kCompared).pointer());
  const bool known = !tree.side(kBaseline).steps().empty() && !tree.side(kCompared).steps().empty();
  const auto shown = [&](double value) { return known ? value : kUnknownNumber; };
  const auto part = [&](const StepBreakdown& side, Role role) {
    return shown(side.is_known(role) ? side.mean_of(role) : kUnknownNumber);
  };
  rows.push_back({"Step", "step_time", {shown(before->mean_total), shown(after->mean_total)}});
  for (std::size_t i = 0; i < kRoles; ++i) {
    const auto role = static_cast<Role>(i);
    if (before->mean_of(role) == 0 && after->mean_of(role) == 0) continue;
    rows.push_back(
        {std::string(role_title(role)), fmt::format("step_{}", role_key(role)), {part(*before, role), part(*after, role)}});
  }
  return step_figures(true).of(rows);
}

struct Sums {
  Time device = kUnknown, kernel = kUnknown, host = kUnknown;
  std::int64_t steps = 0, operators = 0, launches = 0, kernels = 0, copies = 0;
};

Sums sums_of(const DiffSide& side) {
  Sums sums;
  const Profile& profile = side.profile();
  const HostTree& tree = side.tree();
  sums.steps = std::ssize(side.steps());
  sums.launches = static_cast<std::int64_t>(profile.launches.rows());
  std::vector<bool> only_steps_around(tree.nodes());  // of each node: whether it is in nothing but steps
  for (Row node = 0; node < tree.nodes(); ++node) {
    if (tree.is_operator(node)) ++sums.operators;
    const Row around = tree.parent[node];
    only_steps_around[node] = around == kNoRow || (only_steps_around[around] && side.kind(around) == SliceKind::step);
    if (tree.absorbed(node) || side.kind(node) == SliceKind::step || !only_steps_around[node]) continue;
    sums.host = (sums.host == kUnknown ? 0 : sums.host) + side.duration(node);
  }
  for (Row i = 0; i < profile.device_work.rows(); ++i) {
    const Row slice = profile.device_work.slice[i];
    if (i == 0) sums.device = sums.kernel = 0;
    sums.device += profile.slices.duration[slice];
    if (!is_kernel(profile.slices.kind[slice])) {
      ++sums.copies;
      continue;
    }
    ++sums.kernels;
    sums.kernel += profile.slices.duration[slice];
  }
  return sums;
}

ReportTable sums_table(const OnBothSides<Sums>& of) {
  const auto both = [&](Time Sums::*sum) { return OnBothSides<Time>{of[kBaseline].*sum, of[kCompared].*sum}; };
  const std::vector<WholeFigure> rows{{"Device time", "device_time", both(&Sums::device)},
                                      {"Kernel time", "kernel_time", both(&Sums::kernel)},
                                      {"Host time", "host_time", both(&Sums::host)}};
  return sum_figures().of(rows);
}

// Without a recording there is no count either.
ReportTable counts_table(const OnBothSides<Sums>& of) {
  const auto both = [&](std::int64_t Sums::*count, Time Sums::*recorded) {
    const auto known = [&](const Sums& sums) { return sums.*recorded == kUnknown ? kUnknown : sums.*count; };
    return OnBothSides<std::int64_t>{known(of[kBaseline]), known(of[kCompared])};
  };
  const std::vector<WholeFigure> rows{{"Steps", "steps", both(&Sums::steps, &Sums::host)},
                                      {"Operator calls", "operators", both(&Sums::operators, &Sums::host)},
                                      {"Launching calls", "launches", both(&Sums::launches, &Sums::host)},
                                      {"Kernels", "kernels", both(&Sums::kernels, &Sums::device)},
                                      {"Copies and fills", "copies", both(&Sums::copies, &Sums::device)}};
  return count_figures().of(rows);
}

// By device: the largest total; the host last.
std::map<std::pair<bool, std::string>, std::int64_t> peak_by_device(const Profile& profile) {
  std::map<std::pair<bool, std::string>, std::int64_t> peaks;
  const MemoryEvents& events = profile.memory_events;
  for (std::size_t i = 0; i < events.rows(); ++i) {
    if (events.total_allocated[i] == kUnknown) continue;
    const bool host = events.device_type[i] == 0;
    std::int64_t& peak = peaks.try_emplace({host, std::string(profile.text(events.device_name[i]))}, 0).first->second;
    peak = std::max(peak, events.total_allocated[i]);
  }
  return peaks;
}

ReportTable memory_table(const DiffTree& tree) {
  constexpr OnBothSides<std::int64_t> kNeither{kUnknown, kUnknown};
  std::map<std::pair<bool, std::string>, OnBothSides<std::int64_t>> peaks;
  OnBothSides<std::int64_t> largest = kNeither;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const auto& [device, peak] : peak_by_device(tree.side(side).profile()))
      peaks.try_emplace(device, kNeither).first->second[side] = peak;
    largest[side] = largest_peak(tree.side(side).profile());
  }
  std::vector<WholeFigure> rows;
  if (largest != kNeither) rows.push_back({"Largest of the devices", "peak_memory", largest});
  for (const auto& [device, peak] : peaks) rows.push_back({device.second, "peak_memory:" + device.second, peak});
  return memory_figures().of(rows);
}

void add_summary_panel(Report& report, ReportTable table, std::string_view width) {
  Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
  panel.width = width;
  report.panels.push_back(std::move(panel));
  report.tables.push_back(std::move(table));
}

}  // namespace

std::int64_t largest_peak(const Profile& profile) {
  std::int64_t largest = kUnknown;
  for (const auto& [device, peak] : peak_by_device(profile)) {
    if (!device.first && (largest == kUnknown || largest < peak)) largest = peak;
  }
  return largest;
}

std::vector<ReportTable> blank_summary_tables() {
  return {step_figures(false).blank(), sum_figures().blank(), count_figures().blank(), memory_figures().blank()};
}

void add_summary(Report& report, const DiffTree& tree) {
  ReportTable steps = steps_table(tree);
  if (!tree.side(kBaseline).steps().empty() && !tree.side(kCompared).steps().empty()) {
    Panel bars{.id = "step_bars",
               .title = "Mean step by category",
               .content = BarChart{.table = steps.key, .x = "name", .series = {"baseline_time", "compared_time"}}};
    bars.width = "half";
    bars.doc = steps.find("baseline_time")->doc;
    report.panels.push_back(std::move(bars));
    add_summary_panel(report, std::move(steps), "half");
  } else {
    add_summary_panel(report, std::move(steps), "full");
  }
  const OnBothSides<Sums> sums{sums_of(tree.side(kBaseline)), sums_of(tree.side(kCompared))};
  add_summary_panel(report, sums_table(sums), "half");
  add_summary_panel(report, counts_table(sums), "half");
  if (ReportTable memory = memory_table(tree); memory.rows() > 0) add_summary_panel(report, std::move(memory), "half");
}

}  // namespace sightline::analyses
