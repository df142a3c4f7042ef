// Devices: what the stats of a device's plane say of it.
#pragma once

#include "readers/xplane/builder.h"

namespace sightline::xplane {

// A row of devices, when the plane is of a numbered device and says more than who made it, or holds lines. Facts that are the
// same for all devices (what they are called) are set with the first.
void add_device(const Plane& plane, Profile& profile);

}  // namespace sightline::xplane
