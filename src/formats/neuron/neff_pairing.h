// The compiled model (NEFF) of a profile, where it lies beside it: what it says becomes metadata of the profile.
#pragma once

#include <string>

#include "formats/binary/byte_stream.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

// The NEFF that belongs to the profile at `path`, or "": the one of its UUID; else the one of its number, where both names hold a
// program's number in decimal digits (as in inspect folders); else one of the same name. Looks at names and headers only.
std::string neff_beside(const std::string& path);

// What the NEFF at `neff` says, as metadata `neff.*`; what contradicts it, or the profile's `uuid`, as problems.
void add_neff(const std::string& neff, std::string_view uuid, Profile& profile);

// The same of a NEFF that stands alone. REQUIRES: the stream is at its beginning.
Result<std::unique_ptr<Profile>> read_neff(ByteStream& in);

}  // namespace sightline::formats::neuron
