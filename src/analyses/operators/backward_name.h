// The backward pass is recognised by the names that the framework gives its ranges.
#pragma once

#include <string_view>

namespace sightline::analyses {

inline bool is_backward(std::string_view name) {
  return name.starts_with("autograd::engine::") || name.starts_with("torch::autograd::") ||
         name.find("Backward") != std::string_view::npos;
}

}  // namespace sightline::analyses
