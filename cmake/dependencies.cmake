# The system libraries, each under one target name. What each one saves and weighs is in
# docs/dependencies.md; the Debian packages that hold them are in tools/apt-packages.txt.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)

# igzip when it is there, zlib always: code asks with `#ifdef SIGHTLINE_HAVE_ISAL`.
add_library(sightline_gzip INTERFACE)
add_library(sightline::gzip ALIAS sightline_gzip)
target_link_libraries(sightline_gzip INTERFACE ZLIB::ZLIB)
option(SIGHTLINE_ISAL "Deflate and inflate with ISA-L (igzip) when it is installed" ON)
if(SIGHTLINE_ISAL)
  pkg_check_modules(ISAL IMPORTED_TARGET libisal)
  if(ISAL_FOUND)
    target_link_libraries(sightline_gzip INTERFACE PkgConfig::ISAL)
    target_compile_definitions(sightline_gzip INTERFACE SIGHTLINE_HAVE_ISAL)
  endif()
endif()

pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(SQLITE3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
add_library(sightline::httplib ALIAS PkgConfig::HTTPLIB)
