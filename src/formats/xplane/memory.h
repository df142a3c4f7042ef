// Memory: what allocators report becomes memory_events.
#pragma once

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

void add_memory_events(Builder& builder);

}  // namespace sightline::formats::xplane
