// Where the program keeps what it remembers: SIGHTLINE_CACHE_DIR, else XDG_CACHE_HOME/sightline, else
// ~/.cache/sightline. Below it: profiles/ (columns), sources/ (which file is which), markers/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::store {

// Empty when the environment names no folder (no HOME).
std::string cache_folder();

// Bytes of "500M", "20G", "1T" or a plain number (powers of 1000); nullopt when it is not a size.
std::optional<std::int64_t> parse_size(std::string_view text);

}  // namespace sightline::store
