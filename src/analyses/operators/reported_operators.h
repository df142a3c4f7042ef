// Operators of which the file states only how long their calls took, not when: the same groups and sums as of calls on a
// timeline, as far as they can be known. Nested calls of one name count as often as the file lists them.
#pragma once

#include <optional>
#include <vector>

#include "analyses/group_index.h"
#include "analyses/group_sums.h"
#include "model/profile.h"

namespace sightline::analyses {

// Whether there are such operators and none on a timeline.
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
