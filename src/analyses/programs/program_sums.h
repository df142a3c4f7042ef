// How long operators of compiled programs ran, and their costs: from the slices that execute them, or as the file states it. A
// run is all executions of one operator on one core of one device; the views add runs together.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "analyses/steps/step_windows.h"
#include "model/profile.h"

namespace sightline::analyses {

// Where a run took place; kUnknown and StringId::none if unknown.
struct WorkPlace {
  std::int64_t device = kUnknown;  // ordinal
  StringId core = StringId::none;
  friend auto operator<=>(const WorkPlace&, const WorkPlace&) = default;
};

// Sums over executions. Figures that only some executions have come with the time of those executions: utilization refers to
// that time. A rate is over all the time of a row, so that it agrees with the figures beside it.
struct WorkSums {
  std::int64_t calls = 0;       // kUnknown if one part is unknown
  Time time = 0;                // without nested operators
  Time total = 0;               // nested operators included; kUnknown if one part is unknown
  Time longest = kUnknown;      // of one execution
  Row longest_slice = kNoRow;   // the first of equals
  double flops = 0, bytes = 0;  // of executions with known figures
  Time flops_time = 0;          // the time of those
  Time bytes_time = 0;          //
  double wasted = 0;            // ns that a device at its peak would not have needed
  double used = 0;              // ns: the time for which that is known, minus the wasted part
  bool untimed = false;         // the file does not state the time of a part; it counts as 0

  void add(const WorkSums& other);
};

struct OperatorRun {
  Row program_operator = kNoRow;
  WorkPlace place;
  WorkSums sums;
};

struct ProgramRuns {
  std::vector<OperatorRun> computed, stated;  // each in the order of first appearance
};

// Once per profile.
std::shared_ptr<const ProgramRuns> program_runs(const ProfilePtr& profile);

// By row of program_work: whether it belongs to the step. Device work belongs to it as everywhere (in_step); other slices do if
// they start inside the step's window. Without a step, all rows belong.
std::vector<bool> work_in_step(const Profile& profile, const std::optional<StepWindow>& step);

// The sums of one step. Sums that the file states cannot be divided among steps, so they are not included.
ProgramRuns runs_in_step(const Profile& profile, const StepWindow& step);

bool has_program_work(const Profile& profile);

// An operator without a name represents the framework's operator as a whole.
inline bool is_whole_framework_operator(const Profile& profile, Row program_operator) {
  return profile.program_operators.name[program_operator] == StringId::none;
}

}  // namespace sightline::analyses
