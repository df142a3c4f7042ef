// The parameter `step` of views across ranks: one of the steps that any worker has, or all.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"

namespace sightline::analyses {

// Numbers of steps that are recorded or stated.
std::set<std::int64_t> step_numbers(std::span<const RankSummaryPtr> ranks);

Parameter step_of_ranks();  // its declaration
Parameter step_parameter(std::span<const RankSummaryPtr> ranks, const Parameters& given);

// Nothing: all steps. invalid_argument: no worker has the step; the message lists those that there are.
Result<std::optional<std::int64_t>> wanted_step(std::span<const RankSummaryPtr> ranks, const Parameters& given);

}  // namespace sightline::analyses
