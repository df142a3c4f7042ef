// One pass over the rows.
#include "analyses/operators/reported_operators.h"

namespace sightline::analyses {

namespace {

void add(Time& sum, Time value) { sum = sum == kUnknown || value == kUnknown ? kUnknown : sum + value; }

void add_call(ReportedGroups& groups, const ReportedOperators& calls, Row row, const GroupIndex<3>::Key& key) {
  const std::uint32_t group = groups.keys.number_of(key);
  if (group == groups.sums.size()) {
    groups.sums.emplace_back().device_busy = kUnknown;
    groups.first_call.push_back(row);
    groups.has_stack.push_back(false);
  }
  GroupSums& sums = groups.sums[group];
  ++sums.calls;
  add(sums.host_self, calls.host_self[row]);
  add(sums.host_total, calls.host_total[row]);
  add(sums.device_self, calls.device_self[row]);
  add(sums.device_total, calls.device_total[row]);
  add(sums.matrix_self, calls.matrix_self[row]);
  add(sums.matrix_total, calls.matrix_total[row]);
  sums.matrix_eligible |= calls.matrix_self[row] > 0 || calls.matrix_total[row] > 0;
  if (calls.call_stack[row] != StringId::none) groups.has_stack[group] = true;
}

}  // namespace

bool has_only_reported_operators(const Profile& profile) {
  return profile.operators.rows() == 0 && profile.reported_operators.rows() > 0;
}

ReportedGroups group_reported(const Profile& profile, bool by_shape) {
  const ReportedOperators& calls = profile.reported_operators;
  ReportedGroups groups;
  for (Row row = 0; row < calls.rows(); ++row) {
    const StringId shapes = by_shape ? calls.input_shapes[row] : StringId::none;
    add_call(groups, calls, row, {static_cast<std::uint32_t>(calls.name[row]), static_cast<std::uint32_t>(shapes), 0});
  }
  return groups;
}

ReportedGroups group_reported_stacks(const Profile& profile, StringId name, std::optional<StringId> shapes) {
  const ReportedOperators& calls = profile.reported_operators;
  ReportedGroups groups;
  for (Row row = 0; row < calls.rows(); ++row) {
    const StringId stack = calls.call_stack[row];
    if (calls.name[row] != name || stack == StringId::none || (shapes && calls.input_shapes[row] != *shapes)) continue;
    add_call(groups, calls, row, {0, 0, static_cast<std::uint32_t>(stack)});
  }
  return groups;
}

}  // namespace sightline::analyses
