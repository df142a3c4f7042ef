// Idle time: set algebra on the unions that the step summary already holds.
#include "analyses/steps/idle_time.h"

#include <algorithm>

namespace sightline::analyses {

namespace {

IntervalSet device_busy(const std::vector<WorkInterval>& work) {
  IntervalSet busy;
  for (const WorkInterval& next : work) {
    if (next.end <= next.start) continue;
    if (busy.empty() || next.start > busy.back().end) {
      busy.push_back({next.start, next.end});
    } else {
      busy.back().end = std::max(busy.back().end, next.end);
    }
  }
  return busy;
}

Time median(std::vector<Time>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

IdleTime idle_time(const StepSummary& summary) {
  const RoleSets& roles = summary.roles;
  const IntervalSet steps = merge(summary.windows());
  const IntervalSet working = subtract(unite(roles[Role::host], roles[Role::runtime]), roles[Role::data_loading]);
  IdleTime time;
  time.steps = total_length(steps);
  for (const Interval& idle : subtract(steps, device_busy(*summary.work))) {
    time.stretches.push_back({idle, length_within(working, idle)});
    time.idle += idle.length();
    time.host += time.stretches.back().host;
  }
  return time;
}

std::optional<KernelMedians> kernel_medians(const Profile& profile) {
  std::vector<Time> delays;
  std::vector<Time> durations;
  const DeviceWork& rows = profile.device_work;
  for (Row work = 0; work < rows.rows(); ++work) {
    const Row slice = rows.slice[work];
    if (profile.slices.kind[slice] != SliceKind::kernel) continue;
    durations.push_back(profile.slices.duration[slice]);
    const Row launch = rows.launch[work];
    if (launch != kNoRow) delays.push_back(profile.slices.start[slice] - profile.end_of(profile.launches.slice[launch]));
  }
  if (durations.empty()) return std::nullopt;
  KernelMedians medians;
  medians.kernels = std::ssize(durations);
  medians.duration = median(durations);
  if (!delays.empty()) medians.launch_delay = median(delays);
  return medians;
}

}  // namespace sightline::analyses
