// Panels of the memory view about memory plans: for one program, what lives when and at the peak (or at the place that was
// clicked); and all programs.
#pragma once

#include <optional>
#include <vector>

#include "analyses/analysis.h"
#include "model/profile.h"

namespace sightline::analyses {

bool has_memory_plans(const Profile& profile);

// The declarations of the parameters `program`, `space` and `place`.
std::vector<Parameter> memory_plan_parameters();

// Appends panels and tables. An unknown program, space or place is an error that lists the known ones. REQUIRES:
// has_memory_plans.
std::optional<Error> add_memory_plans(Report& report, const Profile& profile, const Parameters& given);

std::vector<ReportTable> blank_memory_plan_tables();

}  // namespace sightline::analyses
