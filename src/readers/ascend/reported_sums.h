// Sums that the files themselves state: step_trace_time.csv (a row per step) and operator_details.csv (a row per operator call,
// without its time).
#pragma once

#include <string>

#include "model/profile.h"

namespace sightline::ascend {

void add_step_sums(const std::string& path, Profile& profile);
void add_operator_details(const std::string& path, Profile& profile);

}  // namespace sightline::ascend
