# The compiler flags of every target, as the interface target `sightline_compiler`: C++20,
# warnings as errors, and the sanitizers when requested.
add_library(sightline_compiler INTERFACE)
target_compile_features(sightline_compiler INTERFACE cxx_std_20)
target_include_directories(sightline_compiler INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(sightline_compiler INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(sightline_compiler INTERFACE -Wno-restrict)  # g++ 12 misreads std::string operator+
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(sightline_compiler INTERFACE "SHELL:--param ggc-min-heapsize=1000000")  # kB before it collects garbage: 8 % faster
endif()
target_compile_definitions(sightline_compiler INTERFACE SIGHTLINE_VERSION="${PROJECT_VERSION}")

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(SIGHTLINE_DEBUG_LEVEL -O0 CACHE STRING "Of a debug build: -O0, or -O1, which takes twice as long to compile and reads files faster")
set(CMAKE_CXX_FLAGS_DEBUG "${SIGHTLINE_DEBUG_LEVEL} -g1 -fno-omit-frame-pointer")  # sanitizers print line tables; -g costs 15 % more

# A release build aborts where the author of a file could otherwise exploit a mistake in reading it: an index outside a container,
# a write past a frame or a buffer. tests/e2e_cli/test_hardening.py checks the program for each of these.
if(SIGHTLINE_HARDEN)
  set(hardening -D_GLIBCXX_ASSERTIONS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND hardening -fcf-protection)
  endif()
  set(executable $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  set(module $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
  target_compile_options(sightline_compiler INTERFACE $<$<CONFIG:Release>:${hardening}> $<$<NOT:${module}>:-fPIE>)
  target_link_options(sightline_compiler INTERFACE $<$<CONFIG:Release>:-Wl,-z,relro,-z,now> $<${executable}:-pie>)
endif()

set(sanitizers "")
set(unsanitized "")
if(SIGHTLINE_SANITIZE MATCHES "^(thread|undefined)$")
  set(sanitizers ${SIGHTLINE_SANITIZE})
elseif(SIGHTLINE_SANITIZE)
  set(sanitizers address,undefined)
  # These take a quarter of the time of compiling. AddressSanitizer finds most of what they find; `make deep` builds with them.
  set(unsanitized -fno-sanitize=null,alignment,vptr,object-size)
endif()
if(sanitizers)
  target_compile_options(sightline_compiler INTERFACE -fsanitize=${sanitizers} ${unsanitized} -fno-sanitize-recover=all)
  target_link_options(sightline_compiler INTERFACE -fsanitize=${sanitizers})
endif()

# What libFuzzer needs of the product: counters that say which branches an input reaches. Tests do without them.
add_library(sightline_counted INTERFACE)
if(SIGHTLINE_FUZZ)
  file(RELATIVE_PATH not_counted ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/cmake/not_counted.txt)  # alike in all checkouts, for ccache
  target_compile_options(sightline_counted INTERFACE -fsanitize=fuzzer-no-link -fsanitize-coverage-ignorelist=${not_counted})
  target_link_options(sightline_counted INTERFACE -fsanitize=fuzzer-no-link)
endif()

# A compiler takes up to 1.5 GB, so a machine with many cores and little memory runs fewer.
cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR compilers "${megabytes} / 2000 + 1")
set_property(GLOBAL PROPERTY JOB_POOLS compile=${compilers})
set(CMAKE_JOB_POOL_COMPILE compile)
