// The compiled model (NEFF) beside a profile: its content becomes metadata of the profile.
#pragma once

#include <string>

#include "formats/binary/byte_stream.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

// The NEFF that belongs to the profile at `path`, or "": the one with its UUID; else the one with its number, if both names
// contain a program's number in decimal digits (as in inspect folders); else one with the same name. Looks only at names and
// headers.
std::string neff_beside(const std::string& path);

// Adds the content of the NEFF at `neff` as metadata `neff.*`; contradictions within it, or with the profile's `uuid`, become
// problems.
void add_neff(const std::string& neff, std::string_view uuid, Profile& profile);

// The same for a NEFF that is opened alone. REQUIRES: the stream is at its beginning.
Result<std::unique_ptr<Profile>> read_neff(ByteStream& in);

}  // namespace sightline::formats::neuron
