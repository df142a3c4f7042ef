// Verdict: what bounds the step. Each instant of the kept steps belongs to one part: a device computes, copies or communicates;
// or all devices are idle, and the part is what they wait for. The formulas are the docs of the table `bounds`
// (docs/metrics.md); docs/verdicts.md holds them against real profiles.
//
// An idle stretch is the host's if the next device work was launched after the stretch began: the device waits for that launch.
// If that work was in the queue already, the device waits for something that the recording does not show.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "analyses/steps/step_summary.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

enum class Bound : std::uint8_t { device, copies, communication, data_loading, launches, host, unknown };
inline constexpr std::size_t kBounds = 7;

std::string_view bound_title(Bound bound);

// Idle stretches of at least this length are the host's own work; shorter ones are its pace of launching.
inline constexpr Time kLongGap = 1'000'000;  // ns

// Idle stretches that wait for one thing. The time of data loading and communication in them is not counted.
struct Waits {
  std::int64_t count = 0;
  Time time = 0;                      // sum over the kept steps
  std::optional<Interval> longest{};  // the whole stretch

  void add(const Interval& stretch, Time part);
};

struct Verdict {
  double step = 0;                            // ns: mean length of the kept steps that are not empty
  std::size_t steps = 0;                      // how many those are
  std::array<double, kBounds> parts{};        // ns per step; they sum to `step`
  bool has_steps = false;                     // recorded; else the recording counts as one
  bool has_device = false;                    // else the host's operators are all that computes
  bool has_host = false;                      // whether threads of the host were recorded
  bool ran_programs_without_kernels = false;  // only operators of compiled programs were recorded
  Waits launches, host, unknown;
  IntervalSet host_stretches;         // the long idle stretches that the host fills; without a device: the kept steps
  IntervalSet exposed_communication;  // in the kept steps
  bool waits_for_first = false;       // the longest unexplained stretch ends with the first device work of the recording

  double of(Bound bound) const { return parts[static_cast<std::size_t>(bound)]; }
  double share(Bound bound) const { return step > 0 ? of(bound) / step : 0; }
  double idle() const { return of(Bound::launches) + of(Bound::host) + of(Bound::unknown); }
  // "the step", or "the recording" where no steps were recorded.
  Message whole() const { return has_steps ? "the step" : "the recording"; }
  // "41.0% of the step (63.5 ms per step)", of this many ns per step.
  Message part_words(double time) const;
  // ns per step of a sum over the kept steps.
  double per_step(double sum) const { return steps == 0 ? 0 : sum / static_cast<double>(steps); }

  // Computing bounds a step in which it takes two thirds, or twice as long as any other part. Else the largest other part does.
  // Unknown: it would be another one if the unexplained part belonged to that.
  Bound bound() const;
  // Why the bound is unknown; empty if it is known.
  Message reason() const;
};

Verdict verdict_of(const Profile& profile, const StepSummary& summary);

// How the bound is found, in words and as a formula.
Message bounds_doc();

// The table `bounds`: the parts of the average step by what bounds it.
ReportTable blank_bounds();
ReportTable bounds_table(const Verdict& verdict);

}  // namespace sightline::analyses
