#include "analyses/history/run_figures.h"

#include <algorithm>
#include <cmath>

#include "analyses/diff/diff_whole.h"
#include "analyses/group_index.h"
#include "analyses/operators/host_tree.h"
#include "analyses/percentile.h"
#include "analyses/steps/step_passes.h"
#include "analyses/steps/step_windows.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

std::uint32_t name_of(const Profile& profile, Row slice) { return static_cast<std::uint32_t>(profile.slices.name[slice]); }

std::vector<OperatorTime> operator_times(const ProfilePtr& profile, bool on_device, double steps) {
  const auto tree = host_tree(profile);
  GroupIndex<1> names;
  std::vector<Row> group(tree->nodes(), kNoRow);
  for (Row node = 0; node < tree->nodes(); ++node) {
    if (tree->is_operator(node)) group[node] = names.number_of({name_of(*profile, tree->slice[node])});
  }
  const auto sums = sum_groups(*profile, *tree, *work_by_start(profile), group, names.size());
  std::vector<OperatorTime> times;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Time time = on_device ? sums[i].device_self : sums[i].host_self;
    if (time > 0) times.push_back({std::string(profile->text(names.text(i, 0))), static_cast<double>(time) / steps});
  }
  return times;
}

std::vector<OperatorTime> kernel_times(const Profile& profile, double steps) {
  GroupIndex<1> names;
  std::vector<double> sums;
  for (const Row slice : profile.device_work.slice) {
    const std::uint32_t group = names.number_of({name_of(profile, slice)});
    if (group == sums.size()) sums.push_back(0);
    sums[group] += static_cast<double>(profile.slices.duration[slice]);
  }
  std::vector<OperatorTime> times;
  for (std::size_t i = 0; i < sums.size(); ++i) times.push_back({std::string(profile.text(names.text(i, 0))), sums[i] / steps});
  return times;
}

}  // namespace

double RunFigures::step(double part) const { return steps.empty() ? kUnknownNumber : quantile(steps, part); }

double RunFigures::time_of(const std::string& name) const {
  if (operators.empty()) return kUnknownNumber;
  for (const OperatorTime& one : operators) {
    if (one.name == name) return one.time;
  }
  return 0;
}

RunFigures figures_of(const ProfilePtr& profile, std::string run) {
  RunFigures figures;
  figures.run = std::move(run);
  figures.recorded = profile->origin_unix_ns;
  const std::shared_ptr<const StepWindows> windows = steps_of(profile);
  for (const StepWindow& step : windows->kept) figures.steps.push_back(static_cast<double>(step.window.length()));
  std::sort(figures.steps.begin(), figures.steps.end());
  figures.on_device = profile->device_work.rows() > 0;
  if (figures.on_device && profile->costed_calls.rows() > 0) figures.utilization = step_passes(profile)->model_utilization();
  figures.peak_memory = largest_peak(*profile);
  const auto steps = static_cast<double>(std::max<std::size_t>(1, figures.steps.size()));
  figures.operators =
      profile->operators.rows() > 0 ? operator_times(profile, figures.on_device, steps) : kernel_times(*profile, steps);
  sort_down(figures.operators, &OperatorTime::time);
  return figures;
}

}  // namespace sightline::analyses
