// Unpacks what zstd packed, by the codec that comes with Arrow.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::formats {

// Appends the unpacked bytes to `to`, which grows to at most `most` bytes. False if they are damaged or more: `to` has what
// precedes that.
bool unpack_zstd(std::string_view from, std::size_t most, std::string& to);

}  // namespace sightline::formats
