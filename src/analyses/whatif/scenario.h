// A scenario: changes in words, such as "kernel:gemm*0.5; no-sync", and what they mean for a dependency graph.
//
//   kernel:NAME ACTION      device work of this name; also operator:, module:, category:, collective:
//   shorter:TIME ACTION     kernels that take less than TIME, such as 10us
//   host*FACTOR             the host's code; host:NAME*FACTOR the ranges of this name. Waits and data loading are no code.
//   data-loading*FACTOR     fetching batches
//   roofline                all device work with a cost takes the least time that the peaks allow
//   no-sync                 the host waits for no device work
//   one-graph               one launch in each step: no host code from the first launch to the last, and no launch latency
//   NAME                    a whole name or, for device work, a part of one; in double quotes if it contains ';'
//   ACTION                  *FACTOR of its time; free (*0); hidden: nothing waits for it; roofline
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/whatif/replay.h"
#include "analyses/whatif/work_selection.h"
#include "base/result.h"

namespace sightline::analyses {

// What one change selected.
struct ScenarioPart {
  std::string text;
  std::int64_t names = 0;  // how many names its text fits
  std::int64_t works = 0;  // pieces of device work
  Time time = 0;           // of these, or of the host
  bool at_most = false;    // it cannot be reached, only approached
};

struct Scenario {
  GraphChange change;
  std::vector<ScenarioPart> parts;
  bool at_most = false;
};

// The changes of a text; quoted names may contain separators.
std::vector<std::string_view> split_changes(std::string_view text);

// The change of one name, such as kernel:"gemm"*0.5; empty for a name with quotes, which no change can name.
std::string change_of_name(std::string_view group, std::string_view name, std::string_view action);

// Why the lengths of a change cannot be replayed: together they are too long for a number of ns.
std::optional<Error> length_fault(const GraphChange& change);

// From changes separated by ';' or line feeds. An error names the change and says what would be valid.
Result<Scenario> make_scenario(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection,
                               std::string_view text);

// How long steps take.
struct Prediction {
  std::vector<Interval> steps;
  double mean = 0;  // ns
};

Prediction predict(const DependencyGraph& graph, const GraphChange& change);

}  // namespace sightline::analyses
