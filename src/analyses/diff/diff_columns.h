// The columns of tables that set two profiles side by side: a metric takes four of them.
#pragma once

#include <string_view>
#include <vector>

#include "analyses/columns.h"

namespace sightline {

// Without a title they are called "Baseline", "Compared" and "Change". `baseline_KEY`, `compared_KEY`, `change_KEY` and
// `change_KEY_share`: the metric in either profile, the difference, and what part of the baseline that is.
void add_pair_columns(std::vector<ReportColumn>& columns, std::string_view key, Message title, Unit unit, const MetricDoc& doc,
                      Message unknown = {}, CellType type = CellType::integer);

// The four cells. Unknown on one side leaves the difference unknown; a baseline of 0 has no share.
void append_pair_cells(std::vector<Cell>& cells, const Cell& baseline, const Cell& compared);

// Hides the four columns of a metric.
void hide_pair(ReportTable& table, std::string_view key);

// Hidden: which row of slices represents the row in either profile, and the links to the two timelines.
void add_slice_columns(ReportTable& table, const char* of_what);
void append_slice_cells(std::vector<Cell>& cells, Row baseline, Row compared);

}  // namespace sightline
