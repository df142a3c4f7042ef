// What can be queried: the tables, views over them for people, and examples to begin with.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/unit.h"

namespace sightline {

struct SqlView {
  std::string_view name;
  std::string_view doc;
  std::string_view select;
};

std::span<const SqlView> sql_views();

struct SqlExample {
  std::string_view title;
  std::string_view sql;
};

// Each works on every profile, if only with an empty answer.
std::span<const SqlExample> sql_examples();

// A column as a query sees it; of a view's, unit and meaning are those of the column that it shows.
struct ShownColumn {
  std::string name;
  std::string type{};  // shared_type_name, or empty
  Unit unit = Unit::none;
  std::string doc{};
};

struct ShownTable {
  std::string name;
  std::string doc;
  bool is_view = false;
  std::size_t rows = 0;  // of a table
  std::vector<ShownColumn> columns{};
};

// Views first.
std::vector<ShownTable> sql_schema(const Profile& profile);

}  // namespace sightline
