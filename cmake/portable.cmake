# With SIGHTLINE_PORTABLE, a program for any Linux with glibc 2.28 (docs/release.md). It is compiled as any release build and linked
# differently: against the C and C++ libraries of an old system (tools/release/sysroot), whose symbols every newer system has.
# What the old C++ library lacks comes from the compiler's own static one, as in Red Hat's toolsets; what the old C library
# lacks is in newer_glibc.cc. Debian's libraries are linked statically, except simdjson and ISA-L, which Debian builds as shared
# libraries only; they need no newer glibc and are packed beside Arrow. Everything static stays hidden: libparquet exports an
# OpenSSL of its own, which must meet no other.
set(SIGHTLINE_SYSROOT ${PROJECT_SOURCE_DIR}/build/sysroot CACHE PATH "What tools/release/sysroot made")
set(release_sources ${PROJECT_SOURCE_DIR}/tools/release)
set(old_libraries ${SIGHTLINE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
if(NOT EXISTS ${old_libraries}/libstdc++.so.6)
  message(FATAL_ERROR "No libraries of an old system in ${SIGHTLINE_SYSROOT}. Run: tools/release/sysroot")
endif()

target_link_options(sightline_compiler INTERFACE
  --sysroot=${SIGHTLINE_SYSROOT} -B${old_libraries}/ -B${SIGHTLINE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE}/
  -static-libstdc++ "SHELL:-Wl,--push-state,--no-as-needed ${old_libraries}/libstdc++.so.6 -Wl,--pop-state"
  LINKER:--exclude-libs,ALL LINKER:--allow-shlib-undefined LINKER:--gc-sections)

# The parts of glibc after the old one, and fmt.
add_library(sightline_newer_glibc STATIC ${release_sources}/newer_glibc.cc)
target_link_libraries(sightline_compiler INTERFACE sightline_newer_glibc pthread dl m)

add_library(sightline_fmt STATIC ${release_sources}/fmt.cc)
target_compile_features(sightline_fmt PUBLIC cxx_std_20)
target_compile_definitions(sightline_fmt PUBLIC FMT_SHARED)  # as with the shared library, so that a compiler cache serves both builds
add_library(sightline::fmt ALIAS sightline_fmt)

function(static_library out name)
  find_library(${out} NAMES lib${name}.a REQUIRED)
endfunction()

static_library(SQLITE_ARCHIVE sqlite3)
add_library(sightline_sqlite INTERFACE)
target_link_libraries(sightline_sqlite INTERFACE ${SQLITE_ARCHIVE})
add_library(sightline::sqlite ALIAS sightline_sqlite)

# gRPC and all below it, in the order of its own list. They are part of the program: compiled for programs, not for modules.
pkg_check_modules(GRPC_STATIC REQUIRED grpc++)
set(GRPC_LIBRARY "")
foreach(name ${GRPC_STATIC_STATIC_LIBRARIES})
  if(NOT name MATCHES "^(dl|pthread|rt|atomic)$")
    static_library(GRPC_ARCHIVE_${name} ${name})
    list(APPEND GRPC_LIBRARY ${GRPC_ARCHIVE_${name}})
  endif()
endforeach()

# The shared libraries that are packed beside Arrow's, under the names that the program looks for.
set(portable_libraries "")
foreach(name isal simdjson)
  find_library(SHARED_${name} ${name} REQUIRED)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${SHARED_${name}} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE ".*SONAME +([^\n]+).*" "\\1" soname "${headers}")
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/libraries)
  file(COPY_FILE ${SHARED_${name}} ${PROJECT_BINARY_DIR}/libraries/${soname})
  list(APPEND portable_libraries ${PROJECT_BINARY_DIR}/libraries/${soname})
endforeach()
