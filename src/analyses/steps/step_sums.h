// StepSums: how a device's time in a step divides into computing and communicating, computed from slices and as the file itself
// states it. The sums and their formulas are those of the writers that state them, so that the two can be compared.
//
// A step's range on a device begins with the first work launched in the step there and ends with the last of it, or where the
// step ends on the host if that is later; without steps it is the whole recording. What begins in the range counts, whole:
// stretches in which something computes, some collective runs, or neither, between the first and the last of them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/devices/device_activity.h"
#include "analyses/steps/step_summary.h"
#include "analyses/steps/step_windows.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- sums ----

enum class StepSum : std::uint8_t {
  preparing,
  computing,
  overlapped,
  not_overlapped,
  communication,
  free,
  stage,
  bubble,
  exclude_receive,
};
inline constexpr std::size_t kStepSums = 9;

struct StepSumInfo {
  std::string_view key, title, stated;  // `stated`: its name in reported_steps
  std::string_view meaning, formula;
};
const StepSumInfo& info_of(StepSum sum);

struct StepSums {
  std::string step;                // its number, or "all"
  std::int64_t device = kUnknown;  // ordinal
  std::array<Time, kStepSums> sum;

  Time of(StepSum which) const { return sum[static_cast<std::size_t>(which)]; }
  Time& of(StepSum which) { return sum[static_cast<std::size_t>(which)]; }
};

// By step, then device; devices that run kernels or collectives. `work` by start.
std::vector<StepSums> computed_step_sums(const Profile& profile, const StepWindows& steps, const std::vector<WorkInterval>& work);

// As the file states them, in its order.
std::vector<StepSums> stated_step_sums(const Profile& profile);

// Whether two sums are the same except for rounding: to 1 µs, and 0.01 % where many rounded durations add up. An unknown sum
// equals any other.
bool is_same_sum(Time a, Time b);

// ---- the panels on the overview: a bar and a row per step ----

// Whether there is anything to show: some collective ran on a device, or the file states such sums.
bool has_step_sums(const Profile& profile);

ReportTable blank_step_sums();

// What the rows of a step lack by the file's own sums, where that is much of its work; else empty.
Message missing_work_words(const Profile& profile, const StepSummary& summary);

// Adds the table, its chart and itself to a report of the overview.
void add_step_sums(Report& report, const Profile& profile, const StepSummary& summary);

}  // namespace sightline::analyses
