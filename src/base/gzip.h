// gzip in memory: packing answers for clients that accept it and files in pieces, unpacking the page's files for clients that do
// not.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::base {

// Fast rather than small: an answer is compressed while a client waits for it.
std::string gzip_pack(std::string_view bytes);

// REQUIRES: a whole gzip stream made by ourselves.
std::string gzip_unpack(std::span<const std::byte> packed);

}  // namespace sightline::base
