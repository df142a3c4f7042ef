// Each rank's part of the walk is on its own clock; its pieces are then put on the axis, where each begins where the next one
// ends.
#include "analyses/whatif/rank_path.h"

#include <algorithm>

namespace sightline::analyses {

namespace {

constexpr Time kSlack = 1'000'000;  // ns: what the drift of a clock moves during a step, at most

}  // namespace

// Where the walk is.
struct RankPath::Walk {
  Time begin, at;  // on the axis
  std::uint32_t rank;
  Node node;
  bool from_start = false;  // of the node: its own time is not on the path
  std::vector<RankPiece> pieces{};

  void take(const RankClock& clock, const std::vector<PathPiece>& own) {
    for (const PathPiece& piece : own) take(clock.on_axis(piece.interval.start), piece.of, piece.slice);
  }
  void take(Time from, PathClass of, Row slice) {
    from = std::max(from, begin);
    if (from < at) pieces.push_back({{from, at}, rank, of, slice});
    at = std::min(at, from);
  }
};

RankPath::RankPath(const RankGraph& graph) : g_(graph) {
  for (const GraphRank& rank : g_.ranks) paths_.emplace_back(*rank.profile, *rank.graph);
}

std::uint32_t RankPath::ended_last(const JobStep& step) const {
  const auto end_of = [&](std::uint32_t rank) {
    return g_.ranks[rank].clock.on_axis(g_.ranks[rank].graph->steps[step.steps[rank]].window.end);
  };
  std::uint32_t last = 0;
  for (std::uint32_t rank = 1; rank < g_.ranks.size(); ++rank) {
    if (end_of(rank) > end_of(last)) last = rank;
  }
  return last;
}

// From a node to what it waited for, which may be on another rank.
void RankPath::go_back(Walk& walk) const {
  const GraphRank& rank = g_.ranks[walk.rank];
  const CriticalPath& path = paths_[walk.rank];
  const std::uint32_t member = rank.member_of[walk.node];
  if (!walk.from_start && member != kNoMember) {
    const JoinedCollective& one = g_.collectives[g_.members[member].collective];
    const JoinedMember& last = g_.members[one.last];
    if (g_.members[member].waits && last.rank != walk.rank &&
        one.arrival > rank.graph->time[walk.node] + g_.members[member].shift) {
      walk.take(one.arrival, PathClass::collective, rank.graph->slice[walk.node]);
      walk.rank = last.rank;
      walk.node = last.node;
      walk.from_start = true;
      return;
    }
  }
  const Time shift = rank.clock.on_axis(rank.graph->time[walk.node]) - rank.graph->time[walk.node];
  PathWalk own{walk.begin - shift - kSlack, walk.at - shift};
  if (!walk.from_start) path.through(own, walk.node);
  walk.node = path.before(own, walk.node);
  walk.from_start = false;
  walk.take(rank.clock, own.pieces);
}

std::vector<RankPiece> RankPath::of(const JobStep& step) const {
  const std::uint32_t last = ended_last(step);
  const GraphRank& rank = g_.ranks[last];
  Walk walk{step.window.start, step.window.end, last, last_of(*rank.graph, rank.graph->steps[step.steps[last]])};
  if (walk.node != kNoNode) walk.take(rank.clock.on_axis(rank.graph->end_of(walk.node)), PathClass::unknown, kNoRow);
  while (walk.node != kNoNode && walk.at > walk.begin) go_back(walk);
  walk.take(walk.begin, PathClass::unknown, kNoRow);
  std::reverse(walk.pieces.begin(), walk.pieces.end());
  return std::move(walk.pieces);
}

}  // namespace sightline::analyses
