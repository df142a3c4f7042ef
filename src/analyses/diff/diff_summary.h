// What two profiles come to as a whole: the mean step by category, sums, counts and peak memory. Each row has a name for machines
// (column `metric`), by which limits are put on it.
#pragma once

#include <vector>

#include "analyses/diff/diff_tree.h"
#include "model/report.h"

namespace sightline::analyses {

// Their columns without rows, for the metrics page.
std::vector<ReportTable> blank_summary_tables();

// Adds the tables `step_time`, `sums`, `counts` and, where either profile has it, `memory`, and their panels.
void add_summary(Report& report, const DiffTree& tree);

}  // namespace sightline::analyses
