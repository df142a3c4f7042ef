// What advice is worth: the scenario of the view what_if that predicts it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

// A scenario names at most this many.
inline constexpr std::size_t kMostNames = 24;

// The change that applies `action` to each of the names of a group ("kernel", "host"); each name once. Empty where a change
// cannot say all of them: a part would predict too little.
std::string change_of_names(const Profile& profile, std::string_view group, const std::vector<StringId>& names,
                            std::string_view action);

// Whether the profile has what the scenario of a rule changes: calls of the host, collectives and copies of devices.
bool can_change(const Profile& profile, std::string_view change);

}  // namespace sightline::analyses
