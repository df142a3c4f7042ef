// One step as recorded and as predicted, on one axis that begins with the step: what each thread and stream does.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "analyses/whatif/scenario.h"
#include "model/report.h"

namespace sightline::analyses {

// What a lane does for a while: one piece of device work, or code or waiting of the host; or several short ones.
struct LanePiece {
  bool predicted = false;
  std::uint32_t rank = 0;  // of a job; of PieceProfiles
  Row lane = kNoRow;       // row of lanes
  Time start = 0;          // from the begin of the step
  Time length = 0;
  Row slice = kNoRow;       // of device work: the longest of the pieces
  bool waits = false;       // of the host
  std::int64_t pieces = 1;  // that are drawn as one
};

// The busiest lanes, those of the host first; `left_out`: how many lanes are not among them.
struct BeforeAfter {
  Time recorded = 0, predicted = 0;  // how long the step takes
  std::vector<LanePiece> pieces;     // as recorded, then as predicted
  std::int64_t left_out = 0;
};

// The times of all nodes, how long device work takes, and from when to when the step lasts.
struct StepTimes {
  std::span<const Time> times, lengths;
  Interval window;
};

struct MostLanes {
  std::size_t host = 2, device = 8;
};

// Adds what one profile does in one step; the lengths of the step in `found` are the axis. `step`: of DependencyGraph::steps.
void add_lanes(BeforeAfter& found, const Profile& profile, const DependencyGraph& graph, std::size_t step,
               const StepTimes& recorded, const StepTimes& predicted, MostLanes most, std::uint32_t rank);

// Of the step of this place among DependencyGraph::steps.
BeforeAfter before_and_after(const Profile& profile, const DependencyGraph& graph, const GraphChange& change, std::size_t step);

// The place of the step of median length; they have windows. REQUIRES: there are steps.
template <typename Step>
std::size_t usual_step(const std::vector<Step>& steps) {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto middle = order.begin() + std::ssize(order) / 2;
  std::nth_element(order.begin(), middle, order.end(),
                   [&](std::size_t a, std::size_t b) { return steps[a].window.length() < steps[b].window.length(); });
  return *middle;
}

// Whose pieces they are. `workers`: of the ranks of a job; empty for one profile.
struct PieceProfiles {
  std::vector<const Profile*> profiles;
  std::vector<std::string> workers;
};

// The table and the chart.
void add_before_after_panel(Report& report, const BeforeAfter& found, const PieceProfiles& of, Message scope);
ReportTable blank_before_after();

}  // namespace sightline::analyses
