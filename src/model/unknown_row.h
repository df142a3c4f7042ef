// A new row of a table of which nothing is known yet: the caller then sets what it knows. So a reader names only the
// columns that its format fills, and a column added to a table needs no edit in the others.
#pragma once

#include <type_traits>

#include "model/tables.h"

namespace sightline::model {

// Appends a row of unknown values and returns its number. Every column is NaN, kNoRow, kUnknown, StringId::none or 0
// (kinds and flags), by its type.
template <typename Table>
Row add_unknown_row(Table& table) {
  const auto row = static_cast<Row>(table.rows());
  table.for_each_column([](const ColumnInfo&, auto& column) {
    using Value = typename std::decay_t<decltype(column)>::value_type;
    if constexpr (std::is_same_v<Value, StringId>) {
      column.push_back(StringId::none);
    } else if constexpr (std::is_same_v<Value, Row>) {
      column.push_back(kNoRow);
    } else if constexpr (std::is_same_v<Value, std::int64_t>) {
      column.push_back(kUnknown);
    } else if constexpr (std::is_same_v<Value, std::int32_t>) {
      column.push_back(-1);
    } else if constexpr (std::is_floating_point_v<Value>) {
      column.push_back(std::numeric_limits<Value>::quiet_NaN());
    } else {
      column.push_back(Value{});
    }
  });
  return row;
}

}  // namespace sightline::model
