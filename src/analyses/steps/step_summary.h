// What each step was spent on (StepBreakdown), and everything else that the overview and its advice are based on (StepSummary):
// how busy the devices were meanwhile, and when they were idle. Both are computed once per profile.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "analyses/devices/device_activity.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- time roles: what each instant of a step is charged to ----
// Several things happen at once; each instant is counted once, for the first role in the order below that is active, so the
// parts of a step sum to the step.

enum class Role : std::uint8_t { kernel, memcpy, memset, communication, runtime, data_loading, host, other };
inline constexpr std::size_t kRoles = 8;

// The key that columns and colours of a role carry, such as "dataloader", and its title.
std::string_view role_key(Role role);
std::string_view role_title(Role role);
// What belongs to it, in one sentence.
std::string_view role_doc(Role role);

// The role of a kind of slice; Role::other for slices without a role.
Role role_of(SliceKind kind);

// The times at which any slice of a role was active, on any thread, stream or device. `other` stays empty.
struct RoleSets {
  std::array<IntervalSet, kRoles> of;
  bool host = false;    // whether threads of the host were recorded
  bool device = false;  // whether work of devices was, or calls that enqueue it
  const IntervalSet& operator[](Role role) const { return of[static_cast<std::size_t>(role)]; }
  bool any(Role role) const { return !(*this)[role].empty(); }

  // Whether the recording could hold a role: where it could not, the role's time is unknown and not 0.
  bool is_known(Role role) const;
};

RoleSets role_sets(const Profile& profile);

// How one window is made up; the parts sum to its length.
struct Breakdown {
  std::array<Time, kRoles> part{};
  Time of(Role role) const { return part[static_cast<std::size_t>(role)]; }
};

std::vector<Breakdown> break_down(const RoleSets& sets, const std::vector<Interval>& windows);

// ---- time of which nothing is known ----

// When graphs may have run whose device work was not recorded: from the start of each such launch to the next recorded device
// work, or to the end of the recording.
IntervalSet unrecorded_graphs(const Profile& profile, const std::vector<WorkInterval>& work);

// How many launches of graphs have no recorded device work, as a warning about figures of how busy a device is; empty if none.
Message unrecorded_graph_words(const Profile& profile);

// ---- StepBreakdown and StepSummary ----

// Small, but computed from all slices: the cache keeps it with the profile.
struct StepBreakdown {
  StepWindows steps;
  std::vector<Breakdown> breakdown;   // by kept step
  std::array<double, kRoles> mean{};  // ns per step, over kept steps that are not empty
  double mean_total = 0;
  std::array<bool, kRoles> known{};  // RoleSets::is_known

  bool is_known(Role role) const { return known[static_cast<std::size_t>(role)]; }
  double mean_of(Role role) const { return mean[static_cast<std::size_t>(role)]; }
  // Share of the mean step; 0 when steps are empty.
  double share_of(Role role) const { return mean_total > 0 ? mean_of(role) / mean_total : 0; }
  std::vector<Interval> windows() const;
};

struct StepSummary : StepBreakdown {
  RoleSets roles;
  std::vector<DeviceActivity> devices;  // in steps.extent()
  IntervalSet unrecorded;               // unrecorded_graphs(): neither work nor idle time
  std::shared_ptr<const HostTree> tree;
  std::shared_ptr<const std::vector<WorkInterval>> work;
};

std::shared_ptr<const StepBreakdown> step_breakdown(const ProfilePtr& profile);
std::shared_ptr<const StepSummary> step_summary(const ProfilePtr& profile);

// Uses a result of step_breakdown() that was stored, unless there is one already. REQUIRES: it is of the same profile.
void keep_step_breakdown(const ProfilePtr& profile, StepBreakdown stored);

// ---- idle time: stretches inside the kept steps in which no device works, and what the host did meanwhile ----

// A stretch in which no device computes, copies, fills or communicates, nor runs a graph whose work was not recorded.
struct IdleStretch {
  Interval interval;
  Time host = 0;  // of it, the host worked: operators, annotations, the optimizer or launching calls, and no data loading
};

struct IdleTime {
  std::vector<IdleStretch> stretches;
  Time idle = 0;   // sum of their lengths
  Time host = 0;   // sum of their host parts
  Time steps = 0;  // sum of the kept steps' lengths
};

IdleTime idle_time(const StepSummary& summary);

// Medians over kernels (collectives not included). Launch delay is the device start minus the end of the host call
// that enqueued it: near 0 when the device waits for the host, long when work queues up.
struct KernelMedians {
  std::int64_t kernels = 0;
  std::optional<Time> launch_delay;  // over kernels with a known launching call
  Time duration = 0;
};

std::optional<KernelMedians> kernel_medians(const Profile& profile);

}  // namespace sightline::analyses
