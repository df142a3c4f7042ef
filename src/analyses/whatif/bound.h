// What bounds the steps: the share of the critical path that is the host's, collectives' and other device work's; and in words,
// why changes of the other side win little, and which change of this side would win something.
#pragma once

#include <vector>

#include "analyses/whatif/critical_path.h"
#include "analyses/whatif/scenario.h"
#include "base/message.h"

namespace sightline::analyses {

// Shares of the critical paths of all steps; NaN: there are none.
struct StepBound {
  double host = 0;        // its code and its calls
  double collective = 0;  // collectives
  double device = 0;      // other device work, and the gaps between
};

StepBound step_bound(const Profile& profile, const DependencyGraph& graph);

// What a change wins, as a share of the mean step of `recorded` ns; NaN: it changes nothing.
double scenario_gain(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection,
                     std::string_view change, double recorded);

// A change of the host's or of all ranks' side, and what it wins. The most first; those that win nothing are left out.
struct BroadGain {
  std::string change;
  double gain;  // share of the mean step
};
inline std::int64_t held_bytes(const BroadGain& gain) { return held_bytes(gain.change); }
std::vector<BroadGain> broad_gains(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection);

// "The host bounds the steps: ..."; empty if neither side bounds them, or the profile has no device work.
Message bound_words(const StepBound& bound, const std::vector<BroadGain>& gains);

// Why changes of device work win nothing.
Message no_gain_words(const StepBound& bound);

}  // namespace sightline::analyses
