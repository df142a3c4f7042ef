// The steps of an inference engine with what the device did in them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analyses/costs/cost_sums.h"
#include "analyses/serving/work_parts.h"
#include "analyses/steps/step_windows.h"
#include "model/profile.h"

namespace sightline::analyses {

// Device work belongs to the step that launched it, even if it runs later. A step begins where the engine begins it or, if that
// is later, where the work of the step before ends; it ends when both its range on the host and its device work have ended.
struct ServedStep {
  Row serving = kNoRow;  // row of serving_steps
  StepWindow step{};
  Time gap = kUnknown;     // from the end of the step before; unknown for the first
  Time bubble = kUnknown;  // from the end of the last device work before this step's to its first; unknown without either
  std::array<Time, kWorkParts> parts{};             // of its time; where several run at once, it counts for the first
  Time busy = 0;                                    // sum of the parts
  std::int64_t graph_launches = 0, graph_work = 0;  // graph_work: of device_events, pieces that a graph ran
  std::int64_t captured_batch = kUnknown;           // tokens that the largest of its graphs was captured for
  CostSums costs{};

  Time time() const { return step.window.length(); }
  Time host() const { return time() - busy; }                                  // in which no device works
  Time interval() const { return gap == kUnknown ? kUnknown : time() + gap; }  // from the end of the step before to its own
};

// By start.
std::vector<ServedStep> served_steps(const Profile& profile);

// How much of what a step computes is padding.
struct Padding {
  std::int64_t real = kUnknown, padded = kUnknown;  // requests or tokens; kUnknown: not stated
  double waste() const;                             // 1 - real / padded
};
Padding padding_of(const Profile& profile, const ServedStep& step);

// The longest run of more than five steps whose number of requests is within a tenth of the largest, or within one; all if
// there is none.
std::span<const ServedStep> steady_state(const Profile& profile, std::span<const ServedStep> steps);

}  // namespace sightline::analyses
