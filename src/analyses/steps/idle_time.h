// Idle time: stretches inside the kept steps in which no device works, and what the host did meanwhile; and how long
// work waits between the launching call and its start.
#pragma once

#include <optional>
#include <vector>

#include "analyses/steps/step_summary.h"

namespace sightline::analyses {

// A stretch in which no device computes, copies, fills or communicates.
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
  std::optional<Time> launch_delay;  // over kernels whose launching call is known
  Time duration = 0;
};

std::optional<KernelMedians> kernel_medians(const Profile& profile);

}  // namespace sightline::analyses
