// Columns of which nothing is known: a table with a dash in every row of a column says less than one without it.
#pragma once

#include "model/report.h"

namespace sightline {

// Hides the columns without any known value; a table without rows keeps them all.
inline void hide_unknown_columns(ReportTable& table) {
  for (ReportColumn& column : table.columns) {
    bool known = column.values.empty();
    for (const Cell& value : column.values) known |= !is_unknown(value);
    column.hidden |= !known;
  }
}

}  // namespace sightline
