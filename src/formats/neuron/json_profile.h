// The JSON that the vendor's tool writes for a device profile (neuron-profile view --output-format json). It becomes the same
// tables as an NTFF file, plus what only the compiled model knows: names of layers and semaphores, bytes moved, dependencies.
#pragma once

#include <memory>

#include "formats/binary/byte_stream.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

// An Error names the byte at which the text stops being such a file.
Result<std::unique_ptr<Profile>> read_json_profile(ByteStream& in);

bool looks_like_json_profile(std::string_view head);

}  // namespace sightline::formats::neuron
