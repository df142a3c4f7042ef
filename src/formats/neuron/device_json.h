// Writes the timeline of a device's engines as one JSON object of sections, each a list of flat rows, in the vendor's layout
// (docs/formats/neuron.md). Programs that read that layout read this file, and so does our own reader.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "model/profile.h"

namespace sightline::formats {

// Passes text to `write` in pieces of about 1 MiB, until it returns false. unsupported: the profile has no engines.
Result<bool> export_device_json(const Profile& profile, const std::function<bool(std::string_view)>& write);

}  // namespace sightline::formats
