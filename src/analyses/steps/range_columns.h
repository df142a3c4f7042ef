// The columns of tables whose rows are a RangeTree's groups: modules and Lightning's hooks mean the same by every word.
#pragma once

#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/steps/range_tree.h"
#include "model/table_of.h"

namespace sightline::analyses {

struct RangeRows {
  const Profile& profile;
  const RangeTree& ranges;
  std::vector<RangeSums> sums;
  std::vector<BackwardSums> backward;  // empty: unknown
  std::vector<std::string> names;      // by group, as shown
  Time device_time = 0;                // of all device work of the profile
  std::vector<double> width{};         // by group: in the flame graph, ns; NaN: not in it
};

// `ranges` must outlive the answer.
RangeRows range_rows(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work, const RangeTree& ranges,
                     std::vector<std::string> names);

// From `calls` to `longest_slice`, and the hidden column `parent`. Without device work the device columns are unknown and hidden.
struct RangeRow {
  const RangeRows* rows;
  Row group;

  const RangeSums& sums() const { return rows->sums[group]; }
  bool has_device_work() const { return rows->profile.device_work.rows() > 0; }
};
TableOf<RangeRow> range_columns(bool has_device_work);

// A flame graph of groups: the parameters `time` and `width` of its view, what it shows of all groups or of those at or below
// `root` (kNoRow: all), the title of its hidden column `width`, and the panel that draws the table `key` by that column.
std::vector<Parameter> flame_parameters();
struct FlameChoice {
  Row root = kNoRow;
  bool device_time = false;
  bool per_call = false;  // of the outermost group around
};
void set_widths(RangeRows& rows, const FlameChoice& choice);
void title_width(ReportTable& table, const FlameChoice& choice);
Panel flame_panel(const ReportTable& table, const FlameChoice& choice);

// Whether a flame graph shows device time: unless `time` says otherwise, where the profile has any. Tells the report which
// it is and what else the profile could show, and notes it when device time was requested in vain.
bool choose_device_time(Report& report, const Profile& profile, const Parameters& given);

}  // namespace sightline::analyses
