// Groups of rows: a report's table with one row for each text of a column, which sums the rows that have it. The rows may be
// filtered first.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/report.h"
#include "model/tables.h"

namespace sightline::engine {

struct NumberBound {
  std::string column;
  bool is_least = true;  // else the most
  double value = 0;
};

struct RowFilter {
  std::string contains = {};  // a text that one of the row's cells holds, in any case
  std::vector<NumberBound> bounds = {};
  bool empty() const { return contains.empty() && bounds.empty(); }
};

using Keep = std::vector<char>;  // by row

Error no_column_in(const ReportTable& table, const std::string& key);  // lists those there are

// An unknown column is an error.
Result<Keep> matching_rows(const ReportTable& table, const RowFilter& filter);

// Calls visit(row, value) for every known number of the column.
template <typename Visit>
void each_number(const Cells& cells, Visit visit) {
  if (const auto* integers = std::get_if<Cells::Integers>(&cells.storage())) {
    for (std::size_t row = 0; row < integers->size(); ++row) {
      if ((*integers)[row] != kUnknown) visit(row, static_cast<double>((*integers)[row]));
    }
  } else if (const auto* reals = std::get_if<Cells::Reals>(&cells.storage())) {
    for (std::size_t row = 0; row < reals->size(); ++row) {
      if (!std::isnan((*reals)[row])) visit(row, (*reals)[row]);
    }
  }
}

struct Grouping {
  std::string table = {};  // empty: the report's only table, else the one with the name of the view
  std::string column = {};
  RowFilter filter = {};
};

// The number of rows of each group, as a column after that of the group.
inline constexpr std::string_view kGroupRows = "group_rows";

// A report of the one table: its columns of amounts (ReportColumn::sums) are sums of the known values; another cell is what all
// rows of the group have, and of numbers only what a single row has. Rows without the text are a group.
Result<Report> grouped_report(const Report& report, const Grouping& grouping);

}  // namespace sightline::engine
