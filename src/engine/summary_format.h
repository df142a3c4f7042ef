// The metrics of a device as scripts take them: a table of text, or one flat JSON object per profile. They are the rows of the
// table `metrics` of a report, which has the columns `key` and `value`, in its order.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/report.h"

namespace sightline {

// The name of a profile, and its report.
using NamedReport = std::pair<std::string, Report>;

// Two columns, metric and value. Where there are several profiles, each begins with its name.
Result<std::string> summary_text(const std::vector<NamedReport>& profiles);

// {"n_...": {"metric": value, ...}, ...}; null is unknown.
Result<std::string> summary_json(const std::vector<NamedReport>& profiles);

}  // namespace sightline
