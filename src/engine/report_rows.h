// The order in which a table's rows are read by people: in the table's default order, or down a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/report.h"

namespace sightline::engine {

struct OrderedRow {
  std::size_t row = 0;
  std::size_t depth = 0;  // in a tree
};

// The numbers of all rows by their values; unknown cells come last, whatever the direction, and equal rows keep their order.
std::vector<std::uint32_t> sorted_order(const Cells& values, bool descending);

// The same in the table's own order.
std::vector<std::uint32_t> sorted_order(const ReportTable& table);

// Unknown cells come last, whatever the direction; equal rows keep their order.
std::vector<OrderedRow> sorted_rows(const ReportTable& table);

// Each row after its parent, siblings in sorted order. `parent` is the key of a column of row numbers, unknown for
// roots. Rows whose parent is not a row are roots.
std::vector<OrderedRow> tree_rows(const ReportTable& table, std::string_view parent);

}  // namespace sightline::engine
