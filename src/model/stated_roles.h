// Names in work_facts of what a rank does in a collective, as
// stated_names.h has those of other facts. They belong to the
// range of the host that calls the collective.
#pragma once

#include <string_view>

#include "base/layers.h"

namespace sightline::model::stated {

// The rank within its group that a collective with a root comes from or goes to; else the caller's own.
inline constexpr std::string_view kCollectiveRank = "Rank";
// The ranks of the job that a transfer from rank to rank comes from and goes to.
inline constexpr std::string_view kSourceRank = "Src Rank", kTargetRank = "Dst Rank";

}  // namespace sightline::model::stated
