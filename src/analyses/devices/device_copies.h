// Which way a copy goes.
#pragma once

#include <string_view>

#include "model/profile.h"

namespace sightline::analyses {

// "HtoD", "DtoH", "DtoD", "HtoH" or "PtoP", as the copy's name tells in one of the ways that writers have; "Memset" for a fill,
// "other copies" for what the name does not tell. The text lives as long as the program.
std::string_view copy_direction(const Profile& profile, Row slice);

}  // namespace sightline::analyses
