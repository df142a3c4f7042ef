// The columns that show what operators cost.
#include "analyses/operators/operator_columns.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "analyses/columns.h"

namespace sightline {

namespace {

constexpr std::string_view kCoreTypes = "core type of kernels, by name or as the file states it";
constexpr std::string_view kNoOperatorWork = "recorded without device activity";

ReportColumn device_time(std::string_view key, Message title, const MetricDoc& doc, bool has_device_work) {
  ReportColumn column = integer_column(key, title, Unit::ns, doc);
  column.hidden = !has_device_work;
  column.unknown = kNoOperatorWork;
  return column;
}

ReportColumn matrix_share(std::string_view key, Message title, const MetricDoc& doc, bool has_device_work) {
  ReportColumn column = real_column(key, title, Unit::share, doc);
  column.hidden = !has_device_work;
  column.unknown = "no device time, or the names of some of its kernels do not say";
  return column;
}

// A matter of devices: a host has no such units.
ReportColumn eligible_column(const DeviceWords& words, bool has_device_work) {
  ReportColumn column = flag_column(
      "tc_eligible", say("{} eligible", title_word(words.matrix)),
      {say("Whether {} can run it.", words.matrix),
       "its name is a known matrix operation, or an operator inside it is eligible, or it launched a kernel on matrix units; in "
       "any call",
       "operator names; core type of kernels",
       "Unknown where only the names of its kernels do not say. The TensorBoard plugin shows the flag of the first call only."});
  column.hidden = !has_device_work;
  column.unknown = "the names of its kernels do not say";
  return column;
}

}  // namespace

std::vector<ReportColumn> operator_columns(bool has_device_work, const DeviceWords& words) {
  const Message matrix = title_word(words.matrix);
  return {
      integer_column(
          "calls", "Calls", Unit::count,
          {"How often it was called.", "number of its ranges; one whose only child is an operator of the same name counts once",
           "operator ranges of the host threads"}),
      device_time("device_self", "Device self",
                  {"Device time it launched itself.",
                   "sum of the durations of the kernels, copies and fills attributed to its own ranges",
                   "durations of device work; attributed by linked id, else by the range open when the launching call began",
                   "The TensorBoard plugin attributes nothing without a linked id and ignores driver launches."},
                  has_device_work),
      device_time("device_total", "Device total",
                  {"Device time launched by it and by everything inside it.",
                   "device self + device total of the ranges inside it + device work of annotations inside it",
                   "as device self; a sum over streams, so it can exceed the elapsed time",
                   "Includes work that annotations inside the operator launched; the TensorBoard plugin loses it."},
                  has_device_work),
      device_time("device_busy", "Device busy",
                  {"Elapsed time in which the device worked for it.",
                   "length of the union of the intervals counted in device total, over all calls, nested calls once",
                   "start and duration of device work", "Not in the TensorBoard plugin."},
                  has_device_work),
      integer_column(
          "host_self", "Host self", Unit::ns,
          {"Host time in it, excluding everything inside it.",
           "sum over calls of: duration - durations of the nearest ranges inside it - durations of the launching calls in it",
           "start and duration of ranges and calls of its thread",
           "The TensorBoard plugin subtracts calls made inside a child, or on another thread, that carry its id."}),
      integer_column(
          "host_total", "Host total", Unit::ns,
          {"Host time in it, including everything inside it.",
           "sum of the durations of its calls; nested calls of the same name count twice unless one absorbed the other",
           "duration of operator ranges"}),
      eligible_column(words, has_device_work),
      matrix_share("tc_self_share", say("{} self", matrix),
                   {say("Share of its device self time on {}.", words.matrix),
                    "duration of its kernels on matrix units / device self", kCoreTypes,
                    "Unknown, not 0, when there is no device self time or a kernel's name does not say; knows more kernels' "
                    "names than the "
                    "TensorBoard plugin."},
                   has_device_work),
      matrix_share(
          "tc_total_share", say("{} total", matrix),
          {say("Share of its device total time on {}.", words.matrix),
           "duration of kernels on matrix units counted in device total / device total", kCoreTypes,
           "Unknown, not 0, when there is no device time or a kernel's name does not say; knows more kernels' names than the "
           "TensorBoard plugin."},
          has_device_work),
  };
}

void append_operator_cells(std::vector<Cell>& cells, const GroupSums& sums, bool has_device_work) {
  const auto device = [&](Time time) { return has_device_work ? cell(time) : Cell{}; };
  cells.emplace_back(sums.calls);
  cells.push_back(device(sums.device_self));
  cells.push_back(device(sums.device_total));
  cells.push_back(device(sums.device_busy));
  cells.push_back(cell(sums.host_self));
  cells.push_back(cell(sums.host_total));
  cells.push_back(sums.matrix_eligible || sums.unknown_total == 0 ? Cell{sums.matrix_eligible} : Cell{});
  const auto share = [](Time part, Time whole, Time unknown) {
    return part == kUnknown || whole == kUnknown || unknown > 0 ? Cell{} : share_cell(part, whole);
  };
  cells.push_back(share(sums.matrix_self, sums.device_self, sums.unknown_self));
  cells.push_back(share(sums.matrix_total, sums.device_total, sums.unknown_total));
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

}  // namespace sightline
