// Links: who launched what and for whom.
#pragma once

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// Takes the builder's profile and gives it back with owners and rules. REQUIRES: arrows were added.
std::unique_ptr<Profile> add_links(Builder& builder, std::unique_ptr<Profile> profile);

}  // namespace sightline::formats::xplane
