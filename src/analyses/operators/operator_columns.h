// The columns that show what operators cost. Used by the table of operators and by the table of one operator's call
// stacks, so that both mean the same by every word.
#pragma once

#include <string>
#include <vector>

#include "analyses/devices/device_words.h"
#include "analyses/group_sums.h"
#include "model/table_of.h"

namespace sightline::analyses {

// From `calls` to `tc_total_share`. Without device work the device columns are unknown and hidden.
TableOf<GroupSums> operator_columns(bool has_device_work, const DeviceWords& words = {});

// The column such tables are sorted by, descending, and the groups in that order; equal ones by total time.
std::string operator_sort_column(bool has_device_work);
std::vector<Row> sorted_groups(const std::vector<GroupSums>& sums, bool has_device_work);

}  // namespace sightline::analyses
