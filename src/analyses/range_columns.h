// The columns of tables whose rows are a RangeTree's groups: modules and Lightning's hooks mean the same by every word.
#pragma once

#include <string>
#include <vector>

#include "analyses/range_tree.h"
#include "model/report.h"

namespace sightline {

struct RangeRows {
  const Profile& profile;
  const RangeTree& ranges;
  std::vector<RangeSums> sums;
  std::vector<BackwardSums> backward;  // empty: unknown
  std::vector<std::string> names;      // by group, as shown
  Time device_time = 0;                // of all device work of the profile
};

// `ranges` must outlive the answer.
RangeRows range_rows(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work, const RangeTree& ranges,
                     std::vector<std::string> names);

// From `calls` to `longest_slice`, and the hidden column `parent`. Without device work the device columns are unknown and hidden.
std::vector<ReportColumn> range_columns(bool has_device_work);
void append_range_cells(std::vector<Cell>& cells, const RangeRows& rows, Row group);

// The parameters `time` and `width` of a view with a flame graph; the table `key` that one is drawn from: name, parent, value
// and where its rows lead, only the groups at or below `root` (kNoRow: all); and the panel of that table.
std::vector<Parameter> flame_parameters();
ReportTable flame_table(std::string_view key, const RangeRows& rows, Row root, bool device_time, bool per_call);
Panel flame_panel(std::string_view key, std::string title);

// Whether `time` asks for device time, and the profile has any; else host time.
bool wants_device_time(const Profile& profile, const std::string& time);

}  // namespace sightline
