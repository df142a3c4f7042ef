// How long operators of compiled programs ran, and what that cost: from the slices that execute them, or as the file states
// it. A run is all executions of one operator on one core of one device; the views add runs together.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "analyses/steps/step_windows.h"
#include "model/profile.h"

namespace sightline::analyses {

// Where a run took place; what is not known is kUnknown and StringId::none.
struct WorkPlace {
  std::int64_t device = kUnknown;  // ordinal
  StringId core = StringId::none;
  friend auto operator<=>(const WorkPlace&, const WorkPlace&) = default;
};

// Sums over executions. What only some executions tell is beside the time of those that do: utilization is of that time. A
// rate is over all the time of a row, so that it is what the figures beside it say.
struct WorkSums {
  std::int64_t calls = 0;       // kUnknown when one part does not tell
  Time time = 0;                // without what is nested in it
  Time total = 0;               // nested operators included; kUnknown when one part does not tell
  Time longest = kUnknown;      // of one execution
  Row longest_slice = kNoRow;   // the first of equals
  double flops = 0, bytes = 0;  // of executions of which they are known
  Time flops_time = 0;          // the time of those
  Time bytes_time = 0;          //
  double wasted = 0;            // ns that a device at its peak would not have needed
  double used = 0;              // ns: the time of which that is known, less what was wasted
  bool untimed = false;         // a part whose time the file does not state; its time counts as 0

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

// By row of program_work: whether it belongs to the step. Work of the device does as everywhere (in_step); what the device's
// work does not hold, when it starts inside the step's window. Without a step all of it does.
std::vector<bool> work_in_step(const Profile& profile, const std::optional<StepWindow>& step);

// Those of one step alone. What the file states cannot be divided among steps, so it is not there.
ProgramRuns runs_in_step(const Profile& profile, const StepWindow& step);

bool has_program_work(const Profile& profile);

// An operator without a name represents the framework's operator as a whole.
inline bool is_whole_framework_operator(const Profile& profile, Row program_operator) {
  return profile.program_operators.name[program_operator] == StringId::none;
}

}  // namespace sightline::analyses
