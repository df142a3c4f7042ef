// The checksum of a file on this machine, which is read a piece at a time.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace sightline::store {

// Equals checksum() of its bytes (content_key.h).
Result<std::uint64_t> checksum_of_file(const std::string& path);

}  // namespace sightline::store
