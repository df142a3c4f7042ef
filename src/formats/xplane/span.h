// The span of a profile: which time was recorded.
#pragma once

#include "model/profile.h"

namespace sightline::formats::xplane {

// From where the profiler had been started until it was asked to stop, both of which may take seconds, where frames of Python
// tell; else all slices. Steps and device work are inside in any case.
void find_span(Profile& profile);

}  // namespace sightline::formats::xplane
