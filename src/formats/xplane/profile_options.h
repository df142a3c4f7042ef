// What was asked of the profiler (tensorflow.ProfileOptions), as a profile's Task Environment keeps it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::formats::xplane {

// Names and values for people, by the number of their field. The levels and whether programs were asked for are always there:
// what the message leaves out is 0. What stands before damage is kept.
std::vector<std::pair<std::string, std::string>> profile_options(std::string_view message);

}  // namespace sightline::formats::xplane
