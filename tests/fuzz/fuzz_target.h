// A fuzz target: the function that libFuzzer calls with each input. All targets are one program, `fuzz_targets`, because each
// would be linked with the whole product, which takes longer than to compile it; FUZZ_TARGET in the environment chooses one.
//
//   FUZZ_TARGET(hlo_fuzz, data, size) {
//     ...  // ends the process if something is wrong (tests/fuzz/require.h)
//     return 0;
//   }
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline::tests {

struct FuzzTarget {
  const char* name;  // of its file, and of its folder in tests/fuzz/seeds
  int (*run)(const std::uint8_t* data, std::size_t size);
  void (*prepare)() = nullptr;  // called once, before the first input
};

// Before main() only.
bool add_fuzz_target(const FuzzTarget& target);

}  // namespace sightline::tests

// After the names of the input's bytes and size: what is to be called before the first input, if anything.
#define FUZZ_TARGET(function, data, size, ...)                                                                      \
  static int function(const std::uint8_t* data, std::size_t size);                                                  \
  static const bool function##_added =                                                                              \
      sightline::tests::add_fuzz_target({.name = #function, .run = function __VA_OPT__(, .prepare =) __VA_ARGS__}); \
  static int function(const std::uint8_t* data, std::size_t size)
