// History: how the runs of one program changed, run by run: their steps, utilization, memory and operators; where the steps
// changed their level; and whether the last run is slower than the runs before it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyses/history/change_point.h"
#include "analyses/history/run_figures.h"
#include "model/report.h"

namespace sightline::analyses {

// What the last run's step is compared with: the better of the levels before and after a significant change, or the level of
// all runs before the last. A level is the median of the runs' median steps; the last run counts for none. So a slower level
// that stays is still slower, and after an improvement the better level counts.
struct StepVerdict {
  std::optional<ChangePoint> change;  // of the runs' median steps, the most likely one
  double reference = 0, last = 0;     // ns; NaN: unknown

  double growth() const { return last / reference - 1; }  // NaN: unknown
};

StepVerdict judge_steps(std::span<const RunFigures> runs);

// The shortest names that distinguish them: of the run, with the span, with the worker as well.
void name_runs(std::span<RunFigures> runs);

// Sorts them by the time of their recordings. Empty; else what is wrong, and they stay as given.
Message sort_runs(std::vector<RunFigures>& runs);

// Tables `runs` and `trends`, and `operators` with the time of each by run. REQUIRES: at least one run. `top`: how many operators
// the trends show.
Report history_report(std::span<const RunFigures> runs, std::size_t top);

// Tables `runs` and `trends` without rows.
std::vector<ReportTable> history_tables();

// Adds the tables `diff_step` and `diff_operators`, from a report of the view `diff` of the runs before and after the change:
// the mean step by category, and the `top` operators whose own time changed most.
void add_diff(Report& report, const Report& diff, std::size_t top);

}  // namespace sightline::analyses
