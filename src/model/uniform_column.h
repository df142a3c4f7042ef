// Columns that say the same of every row: what a format does not tell, or what is told once for all.
#pragma once

#include <span>
#include <type_traits>

#include "base/repeated_memory.h"
#include "model/tables.h"
#include "model/unknown_row.h"

namespace sightline::model {

// A long one borrows memory that is really there but once.
template <typename Value>
Column<Value> uniform_column(std::size_t rows, Value value) {
  constexpr std::size_t kLong = std::size_t{4} << 20;  // bytes
  const std::size_t size = rows * sizeof(Value);
  if (auto memory = size < kLong ? nullptr : repeated_memory(std::as_bytes(std::span(&value, 1)), size)) {
    const auto* const values = static_cast<const Value*>(memory.get());
    return Column<Value>::borrowed({values, rows}, std::move(memory));
  }
  Column<Value> column;
  column.resize(rows, value);
  return column;
}

// Fills the columns that nothing was written to, as add_unknown_row does, of a table whose first column is complete.
template <typename Table>
void fill_unknown_columns(Table& table) {
  const std::size_t rows = table.rows();
  Table unknown;
  add_unknown_row(unknown);
  table.for_each_column([&](const ColumnInfo& info, auto& column) {
    unknown.for_each_column([&](const ColumnInfo& same, const auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(column)>, std::decay_t<decltype(value)>>) {
        if (column.empty() && info.name == same.name) column = uniform_column(rows, value[0]);
      }
    });
  });
}

}  // namespace sightline::model
