// The modules of a framework: the module call that each slice belongs to, and the parts of an operator's path.
#pragma once

#include <string_view>
#include <vector>

#include "base/layers.h"
#include "model/profile.h"

namespace sightline::model {

// By row of slices: the slice of the innermost module call that the slice belongs to, or kNoRow. In this order:
// 1. a host slice: the innermost module call that is open on its thread when it starts (a module call belongs to itself);
// 2. a backward operator without one: the module call of its forward operator, also for the slices inside the backward
// operator;
// 3. device work: the module call of the range or call that caused it.
// Empty when the profile has no module calls. Time: linear in the slices; memory: 4 bytes for each.
std::vector<Row> enclosing_modules(const Profile& profile);

// The parts of the path of a framework's operator in its program, such
// as "jit(f)/NN[model]/Linear[a/b]/dot", outermost first. A slash
// inside brackets does not separate parts. Empty parts are left out.
std::vector<std::string_view> path_parts(std::string_view path);

}  // namespace sightline::model
