// Some rows of a long table, sorted and filtered: what /api/table answers (docs/http.md, "Long tables").
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/kept_report.h"

namespace sightline::output {

struct NumberBound {
  std::string column;
  bool is_least = true;  // else the most
  double value = 0;
};

struct RowsWanted {
  std::string table = {};
  std::size_t offset = 0;
  std::size_t limit = 0;
  std::string sort = {};  // a column's key; empty: the table's own order
  bool descending = false;
  std::string contains = {};  // a text that one of the row's cells holds
  std::vector<NumberBound> bounds = {};
};

// From the parameters of a query: offset, limit, sort, descending, contains, least.KEY, most.KEY and table. Those that are none
// of these, so the view's, are left in `rest`. Not a number, or too many rows at once: an error.
Result<RowsWanted> parse_rows_wanted(const std::vector<std::pair<std::string, std::string>>& parameters,
                                     std::vector<std::pair<std::string, std::string>>& rest);

// The rows as JSON. An unknown table or column is an error that lists those there are.
Result<std::string> table_rows_json(const KeptReport& kept, const RowsWanted& wanted);

}  // namespace sightline::output
