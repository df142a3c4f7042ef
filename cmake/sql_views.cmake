# Puts the views written in SQL (src/sql/views/*.sql, and those of a capture of a lake, src/fleet/sql/views/*.sql) into the program;
# the interface is src/engine/sql_reports.h.
file(GLOB view_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/sql/views/*.sql ${PROJECT_SOURCE_DIR}/src/fleet/sql/views/*.sql)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${view_files})
set(view_texts "")
foreach(view_file ${view_files})
  file(READ ${view_file} view_text)
  get_filename_component(view_name ${view_file} NAME)
  string(APPEND view_texts "    {\"${view_name}\", R\"sightline(${view_text})sightline\"},\n")
endforeach()
set(view_source ${PROJECT_BINARY_DIR}/sql_views/built_in_views.cc)
file(CONFIGURE OUTPUT ${view_source} @ONLY CONTENT [[
#include "engine/sql_reports.h"

namespace sightline::engine {

namespace {

constexpr BuiltInView kViews[] = {
@view_texts@};

}  // namespace

std::span<const BuiltInView> built_in_view_files() { return kViews; }

}  // namespace sightline::engine
]])
