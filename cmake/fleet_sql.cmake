# Puts the statements of a reduction (src/fleet/sql/reduce/*.sql, in the order of their names) into the program; the interface is
# src/fleet/reduce.h.
file(GLOB reduce_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/fleet/sql/reduce/*.sql)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${reduce_files})
set(reduce_texts "")
foreach(reduce_file ${reduce_files})
  file(READ ${reduce_file} reduce_text)
  get_filename_component(reduce_name ${reduce_file} NAME)
  string(APPEND reduce_texts "    {\"${reduce_name}\", R\"sightline(${reduce_text})sightline\"},\n")
endforeach()
set(reduce_source ${PROJECT_BINARY_DIR}/fleet_sql/reduce_statements.cc)
file(CONFIGURE OUTPUT ${reduce_source} @ONLY CONTENT [[
#include "fleet/reduce.h"

namespace sightline::fleet {

namespace {

constexpr ReduceStatement kStatements[] = {
@reduce_texts@};

}  // namespace

std::span<const ReduceStatement> reduce_statements() { return kStatements; }

}  // namespace sightline::fleet
]])
