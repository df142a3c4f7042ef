// What operators cost: the columns, and operators without a timeline.
#include "analyses/operators/operator_columns.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "analyses/columns.h"
#include "analyses/costs/cost_columns.h"

namespace sightline::analyses {

// ---- columns ----

namespace {

constexpr std::string_view kCoreTypes = "core type of kernels, by name or as the file states it";
constexpr std::string_view kNoOperatorWork = "recorded without device activity";

constexpr std::string_view kNamesKnown =
    "Unknown, not 0, when there is no device time or a kernel's name does not say; knows more kernels' names than the "
    "TensorBoard plugin.";

// Of `part` in `whole`, unless some of it is in kernels that may be on matrix units or not.
double matrix_share(Time part, Time whole, Time unknown) { return unknown > 0 ? kUnknownNumber : quotient(part, whole); }

void add_device_times(TableOf<GroupSums>& table, bool has_device_work) {
  const auto add = [&](std::string_view key, Message title, const MetricDoc& doc, Time GroupSums::*time) {
    table.add(integer_column(key, title, Unit::ns, doc).with_unknown(kNoOperatorWork).hide(!has_device_work),
              [has_device_work, time](const GroupSums& of) { return has_device_work ? of.*time : kUnknown; });
  };
  add("device_self", "Device self",
      {"Device time it launched itself.", "sum of the durations of the kernels, copies and fills attributed to its own ranges",
       "durations of device work; attributed by linked id, else by the range open when the launching call began",
       "The TensorBoard plugin attributes nothing without a linked id and ignores driver launches."},
      &GroupSums::device_self);
  add("device_total", "Device total",
      {"Device time launched by it and by everything inside it.",
       "device self + device total of the ranges inside it + device work of annotations inside it",
       "as device self; a sum over streams, so it can exceed the elapsed time",
       "Includes work that annotations inside the operator launched; the TensorBoard plugin loses it."},
      &GroupSums::device_total);
  add("device_busy", "Device busy",
      {"Elapsed time in which the device worked for it.",
       "length of the union of the intervals counted in device total, over all calls, nested calls once",
       "start and duration of device work", kNew},
      &GroupSums::device_busy);
}

void add_matrix_columns(TableOf<GroupSums>& table, bool has_device_work, const DeviceWords& words) {
  const Message matrix = title_word(words.matrix);
  // A matter of devices: a host has no such units.
  table.add(flag_column("tc_eligible", say("{} eligible", matrix),
                        {say("Whether {} can run it.", words.matrix),
                         "its name is a known matrix operation, or an operator inside it is eligible, or it launched a kernel on "
                         "matrix units; in any call",
                         "operator names; core type of kernels",
                         "Unknown where only the names of its kernels do not say. The TensorBoard plugin shows the flag of the "
                         "first call only."})
                .with_unknown("the names of its kernels do not say")
                .hide(!has_device_work),
            [](const GroupSums& of) {
              return of.matrix_eligible || of.unknown_total == 0 ? std::optional(of.matrix_eligible) : std::nullopt;
            });
  const std::string unknown = "no device time, or the names of some of its kernels do not say";
  table.add(real_column("tc_self_share", say("{} self", matrix), Unit::share,
                        {say("Share of its device self time on {}.", words.matrix),
                         "duration of its kernels on matrix units / device self", kCoreTypes,
                         "Unknown, not 0, when there is no device self time or a kernel's name does not say; knows more kernels' "
                         "names than the "
                         "TensorBoard plugin."})
                .with_unknown(unknown)
                .hide(!has_device_work),
            [](const GroupSums& of) { return matrix_share(of.matrix_self, of.device_self, of.unknown_self); });
  table.add(real_column("tc_total_share", say("{} total", matrix), Unit::share,
                        {say("Share of its device total time on {}.", words.matrix),
                         "duration of kernels on matrix units counted in device total / device total", kCoreTypes, kNamesKnown})
                .with_unknown(unknown)
                .hide(!has_device_work),
            [](const GroupSums& of) { return matrix_share(of.matrix_total, of.device_total, of.unknown_total); });
}

}  // namespace

TableOf<GroupSums> operator_columns(bool has_device_work, const DeviceWords& words) {
  TableOf<GroupSums> table;
  table.add(integer_column("calls", "Calls", Unit::count,
                           {"How often it was called, or replayed with a graph.",
                            "number of its ranges; one whose only child is an operator of the same name counts once",
                            "operator ranges of the host threads; operators of the captures of graphs, at each launch"}),
            &GroupSums::calls);
  add_device_times(table, has_device_work);
  table.add(
      integer_column(
          "host_self", "Host self", Unit::ns,
          {"Host time in it, excluding everything inside it.",
           "sum over calls of: duration - durations of the nearest ranges inside it - durations of the launching calls in it",
           "start and duration of ranges and calls of its thread",
           "The TensorBoard plugin subtracts calls made inside a child, or on another thread, that carry its id."})
          .with_unknown(kOnlyReplayed),
      [](const GroupSums& of) { return of.on_host(&GroupSums::host_self); });
  table.add(integer_column(
                "host_total", "Host total", Unit::ns,
                {"Host time in it, including everything inside it.",
                 "sum of the durations of its calls; nested calls of the same name count twice unless one absorbed the other",
                 "duration of operator ranges"})
                .with_unknown(kOnlyReplayed),
            [](const GroupSums& of) { return of.on_host(&GroupSums::host_total); });
  add_matrix_columns(table, has_device_work, words);
  table.add_all(cost_columns(), &GroupSums::costs);
  return table;
}

std::string operator_sort_column(bool has_device_work) { return has_device_work ? "device_self" : "host_self"; }

std::vector<Row> sorted_groups(const std::vector<GroupSums>& sums, bool has_device_work) {
  std::vector<Row> order(sums.size());
  std::iota(order.begin(), order.end(), Row{0});
  const auto key = [&](Row group) {
    const GroupSums& of = sums[group];
    return has_device_work ? std::tuple(of.device_self, of.device_total, of.host_self)
                           : std::tuple(of.host_self, of.host_total, Time{0});
  };
  std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) { return key(a) > key(b); });
  return order;
}

// ---- operators without a timeline ----

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
