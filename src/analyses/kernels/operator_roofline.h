// The roofline of a profile whose costs follow from the shapes of its operators' inputs.
#pragma once

#include <vector>

#include "analyses/analysis.h"

namespace sightline::analyses {

// Whether the costs are those of formulas, and not stated by the file.
bool has_formula_costs(const Profile& profile);

// REQUIRES: has_formula_costs(). The parameters are those of the view.
Result<Report> run_operator_roofline(const AnalysisInput& input);

// Its tables without rows.
std::vector<ReportTable> operator_roofline_tables();

}  // namespace sightline::analyses
