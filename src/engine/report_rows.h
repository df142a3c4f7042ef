// The order in which a table's rows are read by people: sorted as the table asks, or down a tree.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/report.h"

namespace sightline {

struct OrderedRow {
  std::size_t row = 0;
  std::size_t depth = 0;  // in a tree
};

// Unknown cells come last, whatever the direction; equal rows keep their order.
std::vector<OrderedRow> sorted_rows(const ReportTable& table);

// Each row after its parent, siblings in sorted order. `parent` is the key of a column of row numbers, unknown for
// roots. Rows whose parent is no row are roots.
std::vector<OrderedRow> tree_rows(const ReportTable& table, std::string_view parent);

}  // namespace sightline
