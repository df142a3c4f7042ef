// The framework module that each slice belongs to.
#pragma once

#include <vector>

#include "model/profile.h"

namespace sightline::model {

// By row of slices: the slice of the innermost module call that it belongs to, or kNoRow. In this order:
// 1. a host slice: the innermost module call open on its thread when it starts (a module call belongs to itself);
// 2. a backward operator without any: its forward operator's; what it encloses follows it;
// 3. device work: that of the range or call it is attributed to.
// Empty when the profile has no module calls. Time: linear in the slices; memory: 4 bytes for each.
std::vector<Row> enclosing_modules(const Profile& profile);

}  // namespace sightline::model
