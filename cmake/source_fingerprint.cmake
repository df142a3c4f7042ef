# Writes hashes of sources, by which the cache recognizes files written by other code: one of the sources that determine a
# profile's columns (src/store/source_fingerprint.h), one of those that compute the derived data
# (src/engine/derived_fingerprint.h).
function(sightline_fingerprint out header)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE patterns)
  list(TRANSFORM patterns APPEND /*.*)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "_test\\.(cc|h)$")
  get_filename_component(name ${header} NAME_WE)
  set(made ${PROJECT_BINARY_DIR}/source_fingerprint/${name}.cc)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/source_fingerprint ${made} ${header} ${sources}
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/tools/source_fingerprint
    COMMENT "Hashing the sources behind the cache"
    VERBATIM)
  set(${out} ${made} PARENT_SCOPE)
endfunction()

sightline_fingerprint(fingerprint_source store/source_fingerprint.h base model formats store analyses/costs analyses/peaks)
sightline_fingerprint(derived_fingerprint_source engine/derived_fingerprint.h analyses timeline sql engine)
