// UTF-8 for those who insist on it: names in a trace are any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::base {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD, for a byte that is not UTF-8

// Length of the valid sequence that the text begins with (1 to 4), or 0 when it begins with none.
std::size_t utf8_length(std::string_view text);

// The text with each byte that is not UTF-8 replaced.
std::string to_utf8(std::string_view text);

}  // namespace sightline::base
