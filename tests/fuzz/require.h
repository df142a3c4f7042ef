// require: ends the process where something that must hold of every input does not; that is how a fuzz target fails.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace sightline {

inline void require(bool condition, std::string_view what) {
  if (condition) return;
  std::cerr << what << "\n";
  std::abort();
}

}  // namespace sightline
