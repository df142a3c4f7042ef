// The timeline of a device's engines as one JSON object of sections, each a list of flat rows: the layout that
// docs/formats/neuron.md describes as the vendor's, so what reads that reads this, our own reader included.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "model/profile.h"

namespace sightline::formats {

// Text goes to `write` in pieces of about 1 MiB, until it answers false. unsupported: the profile has no engines.
Result<bool> export_device_json(const Profile& profile, const std::function<bool(std::string_view)>& write);

}  // namespace sightline::formats
