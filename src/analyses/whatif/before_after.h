// One step as recorded and as predicted, on one axis that begins with the step: what each thread and stream does.
#pragma once

#include <vector>

#include "analyses/whatif/scenario.h"
#include "model/table_of.h"

namespace sightline::analyses {

// What a lane does for a while: one piece of device work, or code or waiting of the host; or several short ones.
struct LanePiece {
  bool predicted = false;
  Row lane = kNoRow;  // row of lanes
  Time start = 0;     // from the begin of the step
  Time length = 0;
  Row slice = kNoRow;       // of device work: the longest of the pieces
  bool waits = false;       // of the host
  std::int64_t pieces = 1;  // that are drawn as one
};

// The busiest lanes, those of the host first; `left_out`: how many lanes are not among them.
struct BeforeAfter {
  std::int64_t step = 0;  // its number
  Time recorded = 0, predicted = 0;
  std::vector<LanePiece> pieces;
  std::int64_t left_out = 0;
};

// Of the step of this place among DependencyGraph::steps.
BeforeAfter before_and_after(const Profile& profile, const DependencyGraph& graph, const GraphChange& change, std::size_t step);

// The step of median length.
std::size_t usual_step(const DependencyGraph& graph);

TableOf<LanePiece, Profile> piece_lanes_table();

}  // namespace sightline::analyses
