// From planes and lines to the tables of a profile.
#pragma once

#include <memory>

#include "formats/xplane/xspace.h"
#include "model/profile.h"

namespace sightline::formats::xplane {

// `in` stands at the beginning of the file that `space` was read from. What stands before damage is kept: ask the stream.
std::unique_ptr<Profile> read_profile(ByteStream& in, const XSpace& space);

}  // namespace sightline::formats::xplane
