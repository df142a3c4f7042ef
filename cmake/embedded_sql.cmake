# The SQL files that the program contains: the views of src/sql/views and of src/fleet/sql/views (engine/sql_reports.h), and the
# statements of a reduction in the order of their names (fleet/reduce.h).

# sightline_embed_sql(VARIABLE LAYER HEADER TYPE FUNCTION FOLDER...): VARIABLE becomes a source that defines
# LAYER's FUNCTION, which HEADER declares: a span of TYPE, each the name and the text of one file.
function(sightline_embed_sql variable layer header type function)
  list(TRANSFORM ARGN APPEND "/*.sql" OUTPUT_VARIABLE patterns)
  list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/")
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(texts "")
  foreach(file ${files})
    file(READ ${file} text)
    get_filename_component(name ${file} NAME)
    string(APPEND texts "    {\"${name}\", R\"sightline(${text})sightline\"},\n")
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/embedded_sql/${function}.cc)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include "@header@"

namespace sightline::@layer@ {

namespace {

constexpr @type@ kFiles[] = {
@texts@};

}  // namespace

std::span<const @type@> @function@() { return kFiles; }

}  // namespace sightline::@layer@
]])
  set(${variable} ${source} PARENT_SCOPE)
endfunction()

sightline_embed_sql(view_source engine engine/sql_reports.h BuiltInView built_in_view_files src/sql/views src/fleet/sql/views)
sightline_embed_sql(reduce_source fleet fleet/reduce.h ReduceStatement reduce_statements src/fleet/sql/reduce)
