// The part of Diff about the two profiles as a whole.
#pragma once

#include <vector>

#include "analyses/diff/diff_tree.h"
#include "model/report.h"

namespace sightline::analyses {

// Adds the tables `step_time`, `sums`, `counts` and, where either profile has it, `memory`, and their panels.
void add_summary(Report& report, const DiffTree& tree);

// The most that was allocated at one time on the device that had most; kUnknown without memory events of a device.
std::int64_t largest_peak(const Profile& profile);

// Their columns without rows, for the metrics page.
std::vector<ReportTable> blank_summary_tables();

}  // namespace sightline::analyses
