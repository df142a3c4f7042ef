// Where the program keeps what it remembers: SIGHTLINE_CACHE_DIR, else XDG_CACHE_HOME/sightline, else
// ~/.cache/sightline. Below it: profiles/ (columns), sources/ (which file is which), markers/.
#pragma once

#include <string>

namespace sightline {

// Empty when the environment names no folder (no HOME).
std::string cache_folder();

}  // namespace sightline
