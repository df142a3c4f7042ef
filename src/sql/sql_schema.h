// What can be queried: the tables, views over them for people, and examples to begin with.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/unit.h"

namespace sightline::sql {

struct SqlViewColumn {
  std::string_view name;
  std::string_view shows;  // "s.name" shows a column as it is; "l.last - l.first" is computed
};

struct SqlReference {
  char letter;              // what the view calls the row
  std::string_view column;  // that refers to it, such as "w.slice"; where it refers to none, all of the row is unknown
};

// The rows of one table, with columns of the rows that they refer to.
struct SqlView {
  std::string_view name;
  std::string_view doc;
  char letter;
  std::string_view table;
  std::span<const SqlReference> references;
  std::span<const SqlViewColumn> columns;
  std::span<const SliceKind> kinds{};  // only rows whose `s` is one of them; empty: all
};

std::span<const SqlView> sql_views();

struct SqlExample {
  std::string_view title;
  std::string_view sql;
};

// Each works on every profile, if only with an empty answer.
std::span<const SqlExample> sql_examples();

// A column as a query sees it; of a view's, unit and meaning are those of the column that it shows.
struct SchemaColumn {
  std::string name;
  std::string type{};  // shared_type_name, or empty
  Unit unit = Unit::none;
  std::string doc{};
  std::string row_of{};  // the table whose `id` it holds, or empty
};

struct SchemaTable {
  std::string name;
  std::string doc;
  bool is_view = false;
  std::size_t rows = 0;  // of a table
  std::vector<SchemaColumn> columns{};
};

// Views first. Nothing of DuckDB is needed for it.
std::vector<SchemaTable> sql_schema(const Profile& profile);

// Whether a table or view of this name is there and has rows.
bool has_rows(const Profile& profile, std::string_view table);

}  // namespace sightline::sql
