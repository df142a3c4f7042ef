// Report: look-ups.
#include "model/report.h"

namespace sightline::model {

const ReportColumn* ReportTable::find(std::string_view column_key) const {
  for (const ReportColumn& column : columns) {
    if (column.key == column_key) return &column;
  }
  return nullptr;
}

const ReportTable* Report::find_table(std::string_view key) const {
  for (const ReportTable& table : tables) {
    if (table.key == key) return &table;
  }
  return nullptr;
}

}  // namespace sightline::model
