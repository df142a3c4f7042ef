// The verdict: the strip that opens the Overview.
#pragma once

#include <span>

#include "analyses/advice/recommendations.h"
#include "analyses/analysis.h"
#include "analyses/steps/step_summary.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

Panel verdict_panel(const Profile& profile, const StepSummary& summary, const Recommendations& found);

// What to say instead of advice: that no pattern matched, and the largest item.
Message no_pattern_words(const Profile& profile, const StepSummary& summary, const Verdict& verdict);

// Adds what the other workers of its job tell about the step of `own`, which the report is about: their advice, joined with that
// of the report, and how long it waits. `ranks`: the workers of the span, with `own` among them.
void join_ranks(Report& report, std::span<const RankSummaryPtr> ranks, const RankSummary& own);

}  // namespace sightline::analyses
