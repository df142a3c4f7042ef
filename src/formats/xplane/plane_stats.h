// What the stats of a plane say about a device and about the options of the recording.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// ---- devices ----

// The position of a device's process among all: after the host's, by its number; at the end without a number.
constexpr std::int64_t device_order(std::int64_t ordinal) { return ordinal >= 0 && ordinal < 1 << 20 ? 1 + ordinal : 1 << 21; }

// Adds a row of devices if the plane is of a numbered device and states more than its maker, or holds lines. The first also
// sets what is the same for all devices (their names).
void add_device(const Plane& plane, Profile& profile);

// ---- options of the recording ----
// The options of the recording (tensorflow.ProfileOptions), which the profile's Task Environment stores.

// Names and values for people, by the number of their field. The levels and whether programs were requested are always there:
// a missing field is 0. Fields before damage are kept.
std::vector<std::pair<std::string, std::string>> profile_options(std::string_view message);

}  // namespace sightline::formats::xplane
