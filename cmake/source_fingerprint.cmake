# Writes the hash of the sources that determine the content of a profile's columns (src/store/source_fingerprint.h).
file(GLOB_RECURSE fingerprint_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/base/*.* ${PROJECT_SOURCE_DIR}/src/model/*.* ${PROJECT_SOURCE_DIR}/src/formats/*.*
  ${PROJECT_SOURCE_DIR}/src/store/*.*)
list(FILTER fingerprint_sources EXCLUDE REGEX "_test\\.(cc|h)$")
set(fingerprint_source ${PROJECT_BINARY_DIR}/source_fingerprint/source_fingerprint.cc)
add_custom_command(
  OUTPUT ${fingerprint_source}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/source_fingerprint ${fingerprint_source} ${fingerprint_sources}
  DEPENDS ${fingerprint_sources} ${PROJECT_SOURCE_DIR}/tools/source_fingerprint
  COMMENT "Hashing the sources behind the cache"
  VERBATIM)
