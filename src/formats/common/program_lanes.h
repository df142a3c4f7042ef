// Lanes that follow from what slices execute: when which operator of a compiled program ran, which operator of the framework it
// was made from, and in which modules that lies; a section each for what computes, what moves data and what waits and signals,
// and one of how busy the device was. Their slices are made of others, so no sum counts them.
#pragma once

#include <functional>
#include <string>

#include "formats/common/profile_builder.h"

namespace sightline::formats {

// Adds them behind the lanes that there are, nothing where no slice executes an operator. `title(device)` begins the names of the
// sections, which must be no names of others: "GPU 0".
//
// A slice is a time in which at least one of theirs ran: of a module, what it holds. Those of different operators may overlap.
void add_program_lanes(ProfileBuilder& builder, const std::function<std::string(std::int64_t device)>& title);

}  // namespace sightline::formats
