// What libFuzzer calls: the target that FUZZ_TARGET names.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include "tests/fuzz/fuzz_target.h"

namespace {

using sightline::tests::FuzzTarget;

std::vector<FuzzTarget>& targets() {
  static std::vector<FuzzTarget> all;
  return all;
}

FuzzTarget wanted() {
  const char* const given = std::getenv("FUZZ_TARGET");
  const std::string_view name = given == nullptr ? "" : given;
  const auto found = std::ranges::find(targets(), name, [](const FuzzTarget& target) { return std::string_view(target.name); });
  if (found != targets().end()) return *found;
  std::cerr << "FUZZ_TARGET must be one of:";
  for (const FuzzTarget& target : targets()) std::cerr << " " << target.name;
  std::cerr << "\n";
  std::exit(2);
}

const FuzzTarget& target() {
  static const FuzzTarget chosen = wanted();
  return chosen;
}

}  // namespace

bool sightline::tests::add_fuzz_target(const FuzzTarget& target) {
  targets().push_back(target);
  return true;
}

extern "C" int LLVMFuzzerInitialize(int*, char***);
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (target().prepare != nullptr) target().prepare();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return target().run(data, size); }
