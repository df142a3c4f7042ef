// How far apart the ranks of a job begin the same step.
#pragma once

#include <span>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"
#include "model/report.h"

namespace sightline::analyses {

ReportTable blank_skew_table();

// Adds a table and a panel to the view Serving of one of the ranks; nothing if the job has one rank.
void add_step_skew(Report& report, std::span<const RankSummaryPtr> ranks, const RankSummary& own);

}  // namespace sightline::analyses
