// The steps of an inference engine that can be counted as the steps of a profile.
#pragma once

#include <vector>

#include "model/profile.h"

namespace sightline::model {

// Rows of serving_steps by start: those of the thread that has most, without those inside another one.
std::vector<Row> main_serving_steps(const Profile& profile);

}  // namespace sightline::model
