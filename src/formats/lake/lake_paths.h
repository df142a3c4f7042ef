// Paths in a lake (docs/formats/lake.md), as its files name them. These files are not trusted: a path in them may lead nowhere
// else.
#pragma once

#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::formats {

// The folder of the lake, absolute, or its address, with a slash at the end, of LAKE/manifests/capture=ID/COMMITTED.json.
std::string lake_of(const std::string& committed);

// Paths in a lake never lead out of it, and none is an address.
bool is_inside_lake(std::string_view path);

}  // namespace sightline::formats
