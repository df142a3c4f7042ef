// Devices: what the stats of a device's plane say of it.
#pragma once

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// Where the process of a device stands among all: after the host's, by its number; at the end without one.
constexpr std::int64_t device_order(std::int64_t ordinal) { return ordinal >= 0 && ordinal < 1 << 20 ? 1 + ordinal : 1 << 21; }

// A row of devices, when the plane is of a numbered device and says more than who made it, or holds lines. Facts that are the
// same for all devices (what they are called) are set with the first.
void add_device(const Plane& plane, Profile& profile);

}  // namespace sightline::formats::xplane
