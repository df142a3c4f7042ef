// The tables of a profile as read-only virtual tables of SQLite: nothing is copied, a cell is read where it lies.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace sightline {

// One column of one table, its type forgotten.
struct SqlColumn {
  ColumnInfo info;
  std::string_view type;                                                // shared_type_name
  void (*answer)(sqlite3_context*, const SqlColumn&, std::size_t row);  // the cell's value, or null
  std::int64_t (*number)(const SqlColumn&, std::size_t row) = nullptr;  // of integers; unknown is as it is stored
  const void* column = nullptr;                                         // Column<T>; null: the row's number
  const Profile* profile = nullptr;
};

class SqlTable {
 public:
  std::string_view name;
  std::size_t rows = 0;
  std::vector<SqlColumn> columns;  // `id` first

  // Whether the rows stand by this column, ascending and without unknown cells: then a bound on it is a binary search.
  bool sorted_by(std::size_t column) const;

 private:
  mutable std::vector<signed char> sorted_;  // by column; 0: not yet looked at
};

// In the order of tables.h. `profile` outlives them.
std::vector<SqlTable> sql_tables(const Profile& profile);

// Makes the table known to the connection, by its name. `table` outlives the connection. Returns SQLite's code.
int add_sql_table(sqlite3* connection, const SqlTable& table);

}  // namespace sightline
