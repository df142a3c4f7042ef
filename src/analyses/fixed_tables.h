// The tables that every report of a view has, whatever the profile: what can be said of a request before anything is read.
#pragma once

#include <string_view>

namespace sightline {

// Keys, separated by ", ", of views whose reports always have several tables of which none is called like the view; else empty.
std::string_view fixed_tables(std::string_view view);

}  // namespace sightline
