// The panels of the memory view that show memory plans: of one program, what lives when and at the peak; and all programs.
#pragma once

#include <optional>
#include <vector>

#include "analyses/analysis.h"

namespace sightline::analyses {

bool has_memory_plans(const Profile& profile);

// The declarations of the parameters `program`, `space` and `place`.
std::vector<Parameter> memory_plan_parameters();

// Appends panels and tables; returns the error, if there is one: an unknown program, space or place, with those there are.
// REQUIRES: has_memory_plans.
std::optional<Error> add_memory_plans(Report& report, const Profile& profile, const Parameters& given);

std::vector<ReportTable> blank_memory_plan_tables();

}  // namespace sightline::analyses
