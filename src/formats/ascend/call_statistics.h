// op_statistic.csv (kernels by type and core) and api_statistic.csv (calls of the vendor's host software by layer and name): how
// many there were and how long they took, as the vendor sums them. Where the slices hold the same calls, both must agree.
#pragma once

#include <string>

#include "model/profile.h"

namespace sightline::formats::ascend {

void add_kernel_statistics(const std::string& path, Profile& profile);
void add_call_statistics(const std::string& path, Profile& profile);

// Notes among the problems where the stated sums differ, by more than rounding, from those of the slices. REQUIRES: slices and
// their facts are complete. Kinds of which there are no slices are left alone: there is nothing to compare.
void compare_statistics(Profile& profile);

}  // namespace sightline::formats::ascend
