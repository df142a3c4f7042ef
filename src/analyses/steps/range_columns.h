// RangeTree: groups of host-tree nodes that form a tree (modules by who calls whom, hooks by nesting), what they cost, what their
// backward pass cost; and the columns of tables with a row per group, so that modules and Lightning's hooks mean the same by each
// word.
#pragma once

#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/devices/device_activity.h"
#include "analyses/operators/host_tree.h"
#include "model/table_of.h"

namespace sightline::analyses {

// ---- groups and sums ----

// Parents precede their children.
struct RangeTree {
  std::vector<Row> parent;         // by group: a group, kNoRow for a root
  std::vector<Row> group_of_node;  // by node of the host tree; kNoRow: not a member
  std::vector<Row> group_around;   // by node: the group of the innermost member at or around it; kNoRow outside of all
  std::vector<Row> longest;        // by group: row of slices, the first of equals

  std::size_t groups() const { return parent.size(); }
};

// Completes a tree whose `parent` and `group_of_node` are filled. No absorbed node may be a member.
void finish_range_tree(const Profile& profile, const HostTree& tree, RangeTree& ranges);

// Of one group. Member nodes are not inside others of their group, except Lightning modules that call themselves.
struct RangeSums {
  std::int64_t calls = 0;
  std::int64_t replays = 0;    // the calls that were replayed with a graph
  std::int64_t operators = 0;  // operators directly inside the members
  Time host_total = 0;         // duration
  Time host_own = 0;           // host_total - members directly inside
  Time host_self = 0;          // host_total - members, operators and launching calls directly inside
  Time device_total = 0;       // device work caused inside
  Time device_own = 0;         // the part caused in no member inside
  Time device_busy = 0;        // length of the union of the work in device_total; kUnknown if not summed
  CostSums costs{};            // of the operators with a formula inside

  // A time on the host; unknown if no call has one.
  Time on_host(Time RangeSums::*time) const { return replays > 0 && replays == calls ? kUnknown : this->*time; }
};

std::vector<RangeSums> sum_ranges(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const RangeTree& ranges);

// Costs of the backward operators of each group's forward operators, groups below included. Empty if the profile has no links
// from forward to backward operators. A backward operator is the framework's evaluation of one autograd node; the accumulation
// of a gradient belongs to the one before it on its thread. A piece of time counts for one group only.
struct BackwardSums {
  Time host = 0;
  Time device = 0;
};
std::vector<BackwardSums> sum_backward(const Profile& profile, const HostTree& tree, const RangeTree& ranges);

// ---- columns ----

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

// A flame graph of groups: the parameters `time` and `width` of its view, the groups that it shows (those at or below `root`;
// kNoRow: all), the title of its hidden column `width`, and the panel that draws the table `key` by that column.
std::vector<Parameter> flame_parameters();
struct FlameChoice {
  Row root = kNoRow;
  bool device_time = false;
  bool per_call = false;  // of the outermost group around
};
void set_widths(RangeRows& rows, const FlameChoice& choice);
void title_width(ReportTable& table, const FlameChoice& choice);
Panel flame_panel(const ReportTable& table, const FlameChoice& choice);

// Whether a flame graph shows device time: by default if the profile has any, else as `time` says. Adds to the report which time
// it is and which others the profile has, and a note if the requested device time does not exist.
bool choose_device_time(Report& report, const Profile& profile, const Parameters& given);

}  // namespace sightline::analyses
