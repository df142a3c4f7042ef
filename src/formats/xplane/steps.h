// Steps: where the program marked them, else what comes nearest.
#pragma once

#include "formats/xplane/builder.h"

namespace sightline::xplane {

void add_steps(Builder& builder);

}  // namespace sightline::xplane
