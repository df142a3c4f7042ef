// Report: look-ups and row building.
#include "model/report.h"

#include "base/check.h"

namespace sightline {

const ReportColumn* ReportTable::find(std::string_view column_key) const {
  for (const ReportColumn& column : columns) {
    if (column.key == column_key) return &column;
  }
  return nullptr;
}

void ReportTable::add_row(std::vector<Cell> cells) {
  CHECK(cells.size() == columns.size());
  for (std::size_t i = 0; i < cells.size(); ++i) columns[i].values.push_back(std::move(cells[i]));
}

const ReportTable* Report::find_table(std::string_view key) const {
  for (const ReportTable& table : tables) {
    if (table.key == key) return &table;
  }
  return nullptr;
}

}  // namespace sightline
