// The part of the overview on what the steps computed: the passes of training, and the utilization of the matrix units.
#pragma once

#include <vector>

#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// Adds a table of passes where a backward pass was recorded, and the utilization where operators have costs.
void add_pass_panels(Report& report, const ProfilePtr& profile);

ReportTable blank_passes();

}  // namespace sightline::analyses
