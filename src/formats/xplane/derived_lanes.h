// Derived lanes: under which module, operator, name and source line a device worked, from what its work says.
#pragma once

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// Adds them behind all other lanes, for each stream whose work executes operators of programs. REQUIRES: program_work is
// complete.
void add_derived_lanes(Builder& builder);

}  // namespace sightline::formats::xplane
