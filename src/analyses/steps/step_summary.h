// StepSummary: everything that the overview and its advice are based on, computed once per profile: step windows, what each
// step was spent on, and how busy the devices were meanwhile.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "analyses/devices/device_activity.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"
#include "analyses/steps/time_roles.h"

namespace sightline::analyses {

struct StepSummary {
  StepWindows steps;
  RoleSets roles;
  std::vector<Breakdown> breakdown;   // by kept step
  std::array<double, kRoles> mean{};  // ns per step, over kept steps that are not empty
  double mean_total = 0;
  std::vector<DeviceActivity> devices;  // in steps.extent()
  std::shared_ptr<const HostTree> tree;
  std::shared_ptr<const std::vector<WorkInterval>> work;

  double mean_of(Role role) const { return mean[static_cast<std::size_t>(role)]; }
  // Share of the mean step; 0 when steps are empty.
  double share_of(Role role) const { return mean_total > 0 ? mean_of(role) / mean_total : 0; }
  std::vector<Interval> windows() const;
};

std::shared_ptr<const StepSummary> step_summary(const ProfilePtr& profile);

}  // namespace sightline::analyses
