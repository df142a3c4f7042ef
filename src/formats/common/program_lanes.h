// Lanes derived from what slices execute: when each operator of a compiled program ran, the operator of the framework that it
// comes from, and the modules around that. There is a section for computing, one for moving data, one for waiting and
// signalling, and one that shows how busy the device was. Their slices are derived from others, so no sum counts them.
#pragma once

#include <functional>
#include <string>

#include "formats/common/profile_builder.h"

namespace sightline::formats {

// Adds them after the existing lanes; adds nothing if no slice executes an operator. `title(device)` is the beginning of the
// sections' names, such as "GPU 0"; no other process may have these names.
//
// A slice is a time in which at least one operator of its name ran; for a module, at least one operator in it. Slices of
// different operators may overlap.
void add_program_lanes(ProfileBuilder& builder, const std::function<std::string(std::int64_t device)>& title);

}  // namespace sightline::formats
