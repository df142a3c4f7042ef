# Tests and benchmarks. `unit_tests` is one GoogleTest program of every *_test.cc and tests/unit/**;
# `<layer>_tests` (not built by default) holds one layer's only, and links nothing above that layer.
# `fuzz_targets` is one program of all fuzz targets with libFuzzer (SIGHTLINE_FUZZ), else with a small main
# that replays the seeds in tests/fuzz/seeds/<target>/, which is a test for each. Benchmarks go to build/*/bench/.
# None of them links the command line: tests of the command line run the program.

# Profiles written as text, and similar helpers: tests/support depends on the model only, so any layer's tests may link it.
file(GLOB support CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.cc)
list(FILTER support EXCLUDE REGEX "/simulated_")
add_library(test_support STATIC ${support})
target_link_libraries(test_support PUBLIC sightline_model)
target_include_directories(test_support PUBLIC ${PROJECT_SOURCE_DIR})
# A definition for this one file, so that a compiler cache can share the other files between checkouts.
set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/support/document.cc PROPERTIES COMPILE_DEFINITIONS
                            SIGHTLINE_CHECKOUT="${PROJECT_SOURCE_DIR}")

# A simulated device runtime, which the program loads in tests/e2e_cli.
add_library(simulated_libnrt MODULE ${PROJECT_SOURCE_DIR}/tests/support/simulated_libnrt.cc)
target_link_libraries(simulated_libnrt PRIVATE sightline_compiler)

find_package(GTest QUIET)
find_package(benchmark QUIET)

if(GTest_FOUND)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/*.cc)
  add_executable(unit_tests ${sources})
  target_link_libraries(unit_tests PRIVATE GTest::gtest_main)
  add_test(NAME unit COMMAND unit_tests)
  get_property(layers GLOBAL PROPERTY SIGHTLINE_LAYERS)
  foreach(layer ${layers})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*_test.cc)
    if(sources)
      add_library(${layer}_test_objects OBJECT ${sources})
      target_link_libraries(${layer}_test_objects PUBLIC sightline_${layer} test_support GTest::gtest)
      sightline_unity(${layer}_test_objects)
      target_link_libraries(unit_tests PRIVATE ${layer}_test_objects)
      add_executable(${layer}_tests EXCLUDE_FROM_ALL)
      target_link_libraries(${layer}_tests PRIVATE ${layer}_test_objects GTest::gtest_main)
    endif()
  endforeach()
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cc)
add_executable(fuzz_targets ${fuzz_sources} ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_main.cc)
target_link_libraries(fuzz_targets PRIVATE sightline_server test_support)
sightline_unity(fuzz_targets)
if(SIGHTLINE_FUZZ)
  target_link_options(fuzz_targets PRIVATE -fsanitize=fuzzer)
else()
  target_sources(fuzz_targets PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cc)
  foreach(source ${fuzz_sources})
    get_filename_component(target ${source} NAME_WE)
    add_test(NAME ${target} COMMAND fuzz_targets ${PROJECT_SOURCE_DIR}/tests/fuzz/seeds/${target})
    set_tests_properties(${target} PROPERTIES ENVIRONMENT FUZZ_TARGET=${target})
  endforeach()
endif()

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cc)
add_custom_target(benchmarks)
if(benchmark_FOUND AND NOT SIGHTLINE_SANITIZE)
  foreach(source ${bench_sources})
    get_filename_component(target ${source} NAME_WE)
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE sightline_output test_support benchmark::benchmark)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    add_dependencies(benchmarks ${target})
  endforeach()
endif()
