// A chart that a view written in SQL repeats for each value of a column: lines x=step y=value each=name.
#pragma once

#include <string>

#include "model/report.h"

namespace sightline::engine {

// Adds a chart like `panel` to the report for each value in the column `each` of `table` that has at least two points, with a
// table of these points in the order of x. At most nine, those with most points; a note of the first one says so. REQUIRES: the
// panel is a LineChart of one series, and the table has its columns and `each`.
void repeat_panel(const Panel& panel, const std::string& each, const ReportTable& table, Report& report);

}  // namespace sightline::engine
