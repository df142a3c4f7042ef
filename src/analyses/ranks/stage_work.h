// What a rank did in each step, as a stage of a pipeline (StageWork).
#pragma once

#include <vector>

#include "analyses/ranks/rank_summary.h"

namespace sightline::analyses {

// REQUIRES: the summary has its steps and collectives.
std::vector<StageWork> stage_work_of(const Profile& profile, const RankSummary& rank);

}  // namespace sightline::analyses
