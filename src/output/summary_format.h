// The metrics of a device as scripts take them: a table of text, or one flat JSON object per profile. They are the rows of the
// table `metrics` of a report, which has the columns `key` and `value`, in its order, and after them what the recording says of
// the system that it was made on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::output {

struct DeviceReport {
  std::string name;  // of the profile
  Report report;
  ProfilePtr profile;
};

// Two columns, metric and value. Where there are several profiles, each begins with its name.
Result<std::string> summary_text(const std::vector<DeviceReport>& profiles);

// {"n_...": {"metric": value, ...}, ...}; null is unknown.
Result<std::string> summary_json(const std::vector<DeviceReport>& profiles);

}  // namespace sightline::output
