// Why a request for memory failed: what was requested, what was held, and who held it.
#pragma once

#include <optional>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"
#include "model/report.h"

namespace sightline::analyses {

std::vector<ReportTable> blank_failure_tables();

// Adds the failures of a device to the report of a view with the parameters `device` and `failure`: nothing if there are none. An
// error: there is no failure of that number.
std::optional<Error> add_failure(Report& report, const AnalysisInput& input, StringId device);

}  // namespace sightline::analyses
