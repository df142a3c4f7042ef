// The path of a framework's operator in its program, such as "jit(f)/NN[model]/Linear[a/b]/dot", taken apart.
#pragma once

#include <string_view>
#include <vector>

#include "base/layers.h"

namespace sightline::model {

// What stands between slashes that no bracket encloses, outermost first; empty parts are left out.
std::vector<std::string_view> path_parts(std::string_view path);

}  // namespace sightline::model
