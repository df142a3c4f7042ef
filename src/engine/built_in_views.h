// The views written in SQL that the program brings along: src/sql/views/*.sql, which cmake/sql_views.cmake puts into it.
#pragma once

#include <span>
#include <string_view>

namespace sightline::engine {

struct BuiltInView {
  std::string_view file;  // its name
  std::string_view text;
};

std::span<const BuiltInView> built_in_view_files();

}  // namespace sightline::engine
