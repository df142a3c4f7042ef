// Steps: where the program marked them, else what comes nearest.
#pragma once

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

void add_steps(Builder& builder);

}  // namespace sightline::formats::xplane
