// The panels of StepSums on the overview: a bar and a row per step, what the file states beside what its slices give.
#pragma once

#include "analyses/steps/step_summary.h"
#include "model/report.h"

namespace sightline::analyses {

// Whether there is anything to say: some collective ran on a device, or the file states sums of its own.
bool has_step_sums(const Profile& profile);

ReportTable blank_step_sums();

// Adds the table, its chart and itself to a report of the overview.
void add_step_sums(Report& report, const Profile& profile, const StepSummary& summary);

}  // namespace sightline::analyses
