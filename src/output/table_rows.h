// Some rows of a long table, sorted and filtered: what /api/table answers (docs/http.md, "Long tables").
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/kept_report.h"
#include "engine/row_groups.h"

namespace sightline::output {

struct RowsWanted {
  std::string table = {};
  std::size_t offset = 0;
  std::size_t limit = 0;
  std::string sort = {};  // a column's key; empty: the table's own order
  bool descending = false;
  RowFilter filter = {};
  std::string group = {};  // the key of a column: its groups of matching rows, see engine/row_groups.h
};

// From the parameters of a query: offset, limit, sort, descending, contains, least.KEY, most.KEY, group_rows and table. Those
// that are none of these, so the view's, are left in `rest`. Not a number, or too many rows at once: an error.
Result<RowsWanted> parse_rows_wanted(const std::vector<std::pair<std::string, std::string>>& parameters,
                                     std::vector<std::pair<std::string, std::string>>& rest);

// The rows as JSON, of a table whose rows are already grouped if they should be. An unknown table or column is an error that
// lists those there are.
Result<std::string> table_rows_json(const KeptReport& kept, const RowsWanted& wanted);

}  // namespace sightline::output
