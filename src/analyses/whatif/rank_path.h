// The critical path of a step of a job: back from what ended last on any rank. In a joined collective it goes over to the rank
// that came last. Its pieces cover the step without overlap, so their lengths sum exactly to the step's.
#pragma once

#include <vector>

#include "analyses/whatif/critical_path.h"
#include "analyses/whatif/rank_graph.h"

namespace sightline::analyses {

struct RankPiece {
  Interval interval;  // on the axis
  std::uint32_t rank = 0;
  PathClass of = PathClass::unknown;
  Row slice = kNoRow;  // of the rank's profile
};

// The graph must outlive it.
class RankPath {
 public:
  explicit RankPath(const RankGraph& graph);

  // In the order of time.
  std::vector<RankPiece> of(const JobStep& step) const;

 private:
  struct Walk;
  std::uint32_t ended_last(const JobStep& step) const;
  void go_back(Walk& walk) const;

  const RankGraph& g_;
  std::vector<CriticalPath> paths_;  // by rank
};

}  // namespace sightline::analyses
