// What can be queried: the tables, views over them for people, and examples to begin with.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/unit.h"

namespace sightline {

struct SqlViewColumn {
  std::string_view name;
  std::string_view shows;  // "s.name" shows a column as it is; anything else is computed
};

struct SqlView {
  std::string_view name;
  std::string_view doc;
  std::span<const SqlViewColumn> columns;
  std::string_view from;  // tables by one letter, and what is taken of them
};

std::span<const SqlView> sql_views();

// SELECT ... FROM ...
std::string sql_of(const SqlView& view);

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

}  // namespace sightline
