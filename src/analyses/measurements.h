// What a profiler counted inside ranges (SliceKind::measurement) in place of timing what ran: a table of the counters.
#pragma once

#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

bool has_measurements(const Profile& profile);

// The columns of `counters` counters, of which none is known yet.
ReportTable blank_measurements();

// One row per name of a range, or, where `single`, per range: whose name contains `search`, in the order of the file.
ReportTable measurement_table(const Profile& profile, std::string_view search, bool single);

}  // namespace sightline::analyses
