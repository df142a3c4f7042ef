// StepSummary: put together from its parts.
#include "analyses/steps/step_summary.h"

#include "analyses/derived_data.h"

namespace sightline::analyses {

namespace {

void add_means(StepSummary& summary) {
  std::size_t counted = 0;
  for (std::size_t i = 0; i < summary.breakdown.size(); ++i) {
    const Time length = summary.steps.kept[i].window.length();
    if (length <= 0) continue;
    ++counted;
    summary.mean_total += static_cast<double>(length);
    for (std::size_t role = 0; role < kRoles; ++role) summary.mean[role] += static_cast<double>(summary.breakdown[i].part[role]);
  }
  if (counted == 0) return;
  summary.mean_total /= static_cast<double>(counted);
  for (double& mean : summary.mean) mean /= static_cast<double>(counted);
}

StepSummary summarise(const ProfilePtr& profile) {
  StepSummary summary;
  summary.tree = host_tree(profile);
  summary.work = work_by_start(profile);
  summary.steps = step_windows(*profile);
  summary.roles = role_sets(*profile);
  summary.breakdown = break_down(summary.roles, summary.windows());
  add_means(summary);
  summary.devices = device_activity(*profile, *summary.work, summary.steps.extent());
  return summary;
}

}  // namespace

std::vector<Interval> StepSummary::windows() const {
  std::vector<Interval> windows;
  for (const StepWindow& step : steps.kept) windows.push_back(step.window);
  return windows;
}

static std::int64_t held_bytes(const StepSummary& summary) {
  std::int64_t bytes = held_bytes(summary.steps.kept, summary.steps.dropped, summary.breakdown, summary.devices);
  for (const IntervalSet& set : summary.roles.of) bytes += held_bytes(set);
  return bytes;
}

std::shared_ptr<const StepSummary> step_summary(const ProfilePtr& profile) { return derived<StepSummary>(profile, summarise); }

}  // namespace sightline::analyses
