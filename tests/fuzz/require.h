// require: ends the process if a condition that every input must meet does not hold; that is how a fuzz target fails.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "base/layers.h"

namespace sightline::tests {

inline void require(bool condition, std::string_view what) {
  if (condition) return;
  std::cerr << what << "\n";
  std::abort();
}

}  // namespace sightline::tests
