// How long kernels are: how many there are of each length, and how much of the time they take. Many short ones mean that starting
// them takes longer than running them.
#pragma once

#include <vector>

#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// One row per range of lengths, from the shortest kernel to the longest. `kernels`: rows of device_work.
ReportTable length_table(const Profile& profile, const std::vector<Row>& kernels);
ReportTable blank_length_table();

}  // namespace sightline::analyses
