// The table of the clocks of the ranks: what was measured, and which of them are on one axis.
#pragma once

#include <span>

#include "analyses/ranks/clock_alignment.h"
#include "model/report.h"

namespace sightline::analyses {

Message clock_rule_title(ClockRule rule);

ReportTable blank_clocks();
ReportTable clocks_table(std::span<const RankSummaryPtr> ranks, std::span<const RankClock> clocks);

}  // namespace sightline::analyses
