// What operators cost, as columns: the tables of operators and of one operator's call stacks mean the same by each word. And the
// sums of operators for which the file states only how long their calls took, not when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyses/devices/device_activity.h"
#include "analyses/group_index.h"
#include "analyses/operators/host_tree.h"
#include "model/profile.h"
#include "model/table_of.h"

namespace sightline::analyses {

// ---- columns ----

// From `calls` to `tc_total_share`. Without device work the device columns are unknown and hidden.
TableOf<GroupSums> operator_columns(bool has_device_work, const DeviceWords& words = {});

// The column such tables are sorted by, descending, and the groups in that order; equal ones by total time.
std::string operator_sort_column(bool has_device_work);
std::vector<Row> sorted_groups(const std::vector<GroupSums>& sums, bool has_device_work);

// ---- operators without a timeline ----
// The same groups and sums as of calls on a timeline, as far as they can be known. Nested calls of one name count as often as
// the file lists them.

// Whether the profile has only such operators, and none on a timeline.
bool has_only_reported_operators(const Profile& profile);

struct ReportedGroups {
  GroupIndex<3> keys;           // name, input shapes, call stack (string ids; 0 where they make no difference)
  std::vector<GroupSums> sums;  // by group; a time is kUnknown where one of a call is, and device busy always
  std::vector<Row> first_call;  // by group: row of reported_operators
  std::vector<bool> has_stack;  // by group
};

ReportedGroups group_reported(const Profile& profile, bool by_shape);

// The calls of one operator, with these shapes when given, by call stack; calls without a stack are left out.
ReportedGroups group_reported_stacks(const Profile& profile, StringId name, std::optional<StringId> shapes);

}  // namespace sightline::analyses
