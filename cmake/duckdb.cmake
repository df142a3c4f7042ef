# DuckDB's library, which SQL loads when it is first asked for (src/sharing/duckdb_library.cc): the one that `npm ci` put into
# tools/duckdb, which verifies it. Programs find it there by their run path, and `sightline_install` puts it beside Arrow's.
# Where it is missing all else is built alike, and a query says so. When a wheel is built, tools/build_page has brought it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(duckdb_machine arm64)
else()
  set(duckdb_machine x64)
endif()
set(duckdb_folder ${PROJECT_SOURCE_DIR}/tools/duckdb/node_modules/@duckdb/node-bindings-linux-${duckdb_machine})
file(GLOB duckdb_library ${duckdb_folder}/libduckdb.so)
list(APPEND CMAKE_BUILD_RPATH ${duckdb_folder})
