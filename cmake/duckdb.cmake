# DuckDB's library, which is loaded at the first query (src/sql/duckdb_library.cc). `npm ci` installs it into
# tools/duckdb and verifies it. Programs find it there by their run path, and `sightline_install` puts it beside Arrow's.
# Without it everything else is built, and a query says that it is missing. For a wheel, tools/build_page installs it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(duckdb_machine arm64)
else()
  set(duckdb_machine x64)
endif()
set(duckdb_folder ${PROJECT_SOURCE_DIR}/tools/duckdb/node_modules/@duckdb/node-bindings-linux-${duckdb_machine})
file(GLOB duckdb_library ${duckdb_folder}/libduckdb.so)
list(APPEND CMAKE_BUILD_RPATH ${duckdb_folder})
