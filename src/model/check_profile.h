// check_profile: every invariant of a Profile in one place. Tests, fuzzers and debug builds call it on whatever a
// reader made, damaged input included; a release build trusts the readers.
#pragma once

#include <string>
#include <vector>

#include "model/profile.h"

namespace sightline::model {

// One sentence per broken invariant, at most `most` of them; empty when the profile is sound. O(rows).
std::vector<std::string> check_profile(const Profile& profile, std::size_t most = 20);

}  // namespace sightline::model
