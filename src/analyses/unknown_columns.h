// Columns of which nothing is known: a table with a dash in every row of a column says less than one without it. The engine hides
// them in the report of every view.
#pragma once

#include "model/report.h"

namespace sightline::analyses {

// Hides the columns without any known value, but for what the rows are called; a table without rows keeps them all.
inline void hide_unknown_columns(ReportTable& table) {
  for (ReportColumn& column : table.columns) {
    if (column.role == ColumnRole::label || table.rows() == 0) continue;
    bool known = false;
    for (std::size_t row = 0; row < table.rows() && !known; ++row) known = !is_unknown(column.values[row]);
    column.hidden |= !known;
  }
}

}  // namespace sightline::analyses
