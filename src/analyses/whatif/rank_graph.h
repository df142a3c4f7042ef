// The dependency graphs of the ranks of a job, joined where they wait for each other: in collectives that are matched across
// ranks.
//
// A rank in a joined collective ends as long after the last of those that it waits for has come to it as in the recording. So a
// rank that comes later makes others wait, and when the last one comes earlier, they end earlier. Who waits for whom:
//   all-reduce, all-gather, reduce-scatter, all-to-all, barrier   each rank for all
//   broadcast, scatter                                            each rank for the root
//   reduction to one rank, gather                                 the root for all
//   send and receive                                              the receiver for the sender
// The recording says which rank is the root. When ranks come is compared on one axis (clock_alignment.h); ranks whose clocks are
// not known are left out.
//
// Replaying all ranks without a change gives every recorded time of every rank.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analyses/ranks/clock_alignment.h"
#include "analyses/whatif/replay.h"
#include "base/result.h"

namespace sightline::analyses {

inline constexpr std::uint32_t kNoMember = 0xFFFFFFFF;

// A rank in a joined collective.
struct JoinedMember {
  std::uint32_t rank;        // of RankGraph::ranks
  std::uint32_t collective;  // of RankGraph::collectives
  Node node;
  Time shift;           // from its clock to the axis
  Time transfer;        // from when it and the last awaited rank had come to its end
  bool waits = true;    // for the awaited ranks
  bool awaited = true;  // by those that wait
};

struct JoinedCollective {
  std::uint32_t first = 0, members = 0;  // of RankGraph::members
  std::uint32_t awaited = 0;             // how many of them are
  std::uint32_t last = 0;                // the awaited member that came last
  Time arrival = 0;                      // of that one, on the axis
  bool partial = false;                  // the group has further ranks, which are not here
};

// A step that all ranks have, by its number.
struct JobStep {
  std::int64_t number = 0;
  std::vector<std::uint32_t> steps;  // by rank: of DependencyGraph::steps
  Interval window;                   // on the axis
};

struct GraphRank {
  ProfilePtr profile;
  RankSummaryPtr summary;
  std::shared_ptr<const DependencyGraph> graph;
  RankClock clock;
  std::vector<std::uint32_t> member_of;  // by node: of RankGraph::members, or kNoMember
};

struct RankGraph {
  std::vector<GraphRank> ranks;
  std::vector<JoinedMember> members;
  std::vector<JoinedCollective> collectives;
  std::vector<JobStep> steps;

  struct Turn {
    std::uint32_t rank;
    Node until;
  };
  std::vector<Turn> turns;  // an order in which each node comes after all that it depends on, on any rank

  std::vector<std::pair<RankSummaryPtr, Message>> left_out;  // ranks, and why
  std::int64_t matched = 0;                                  // collectives across the ranks that are not left out
  std::int64_t on_host = 0;                                  // not joined: they are no device work
  std::int64_t unknown_roles = 0;                            // not joined: the root or the sender is not recorded
  std::int64_t absent_root = 0;                              // not joined: the root is not here
  std::int64_t contradicting = 0;                            // not joined: they end before the last rank has come
  std::int64_t unmatched = 0;                                // calls on devices that are not matched across ranks

  std::span<const JoinedMember> of(const JoinedCollective& one) const {
    return std::span(members).subspan(one.first, one.members);
  }
  std::size_t nodes() const;
};

// `profiles`: of each of `ranks`. An error if fewer than two ranks have comparable clocks, or no collective joins them.
Result<RankGraph> join_ranks_of(std::span<const RankSummaryPtr> ranks, std::span<const ProfilePtr> profiles);

// What differs from the recording.
struct RankChange {
  std::vector<GraphChange> ranks;
  bool no_waiting = false;  // a collective takes its transfer time on each rank: no rank waits for another
};

RankChange unchanged(const RankGraph& graph);

// New times and lengths of all nodes of all ranks, and so the steps of each rank and of the job.
struct RankReplay {
  std::vector<std::vector<Time>> times, lengths;
  std::vector<std::vector<Interval>> steps;  // by rank and DependencyGraph::steps, on the rank's clock
  std::vector<Interval> job;                 // by RankGraph::steps
  double mean = 0;                           // ns, of the job's steps
};

RankReplay replay(const RankGraph& graph, RankChange change);

// A step of the job begins when all ranks have ended the one before it; the first, and one after a step that is missing, when a
// rank begins it. It ends when all ranks have ended it.
std::vector<Interval> job_intervals(const RankGraph& graph, const std::vector<std::vector<Interval>>& steps);

}  // namespace sightline::analyses
