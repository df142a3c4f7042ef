// Matching collectives across ranks: which collective of one rank is which of another, how long data moved, who waited for
// whom.
//
// Collectives of one process group (name and list of ranks) are one when they have the same kind and sequence number; those
// without a number when they are the k-th of their kind and size in the step of the same number, if all ranks that have any
// there have equally many. What was sent from one rank to another is matched in groups of two only: elsewhere each pair counts
// for itself.
//
// A collective ends on all its ranks together, when the data is there; so nothing depends on the clocks of different hosts
// being the same. Who is in it the shortest came last: until then the others waited, from then on data moved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"

namespace sightline::analyses {

inline constexpr std::uint32_t kNoMatch = 0xFFFFFFFF;

struct CollectiveMember {
  std::uint32_t rank;   // index of the ranks that were matched
  std::uint32_t index;  // of its collectives
};

// One collective, on two ranks or more.
struct MatchedCollective {
  std::uint32_t first = 0, members = 0;  // in CollectiveMatch::members
  std::uint32_t last_rank = 0;           // who came last; the first of equals
  Time transfer = 0;                     // the shortest time in it
  Time longest = 0;
  Time waited = 0;       // sum over the members of time in it - transfer
  Time delay = 0;        // second shortest - shortest: how much sooner it would have ended had the last come with the one before
  bool partial = false;  // the group has more ranks than are seen in it
};

struct CollectiveMatch {
  std::vector<MatchedCollective> matched;
  std::vector<CollectiveMember> members;             // of each matched collective, by rank
  std::vector<std::vector<std::uint32_t>> match_of;  // by rank and collective: index of matched, or kNoMatch
  std::int64_t collectives = 0;                      // on all ranks together
  std::int64_t by_order = 0;                         // matched without sequence numbers
  std::int64_t point_to_point = 0;                   // not matched for that reason
  std::int64_t unequal = 0;                          // not matched since ranks have different numbers of them in a step
  std::int64_t alone = 0;                            // seen on one rank only

  std::int64_t unmatched() const { return point_to_point + unequal + alone; }
  std::span<const CollectiveMember> of(const MatchedCollective& one) const {
    return std::span(members).subspan(one.first, one.members);
  }
};

CollectiveMatch match_collectives(std::span<const RankSummaryPtr> ranks);

// The size that a collective's bandwidth is given for: what a rank ends with (all_gather), what the one root has
// (gather, scatter), else what a rank starts with. `ranks` is the size of the group. kUnknown when it is not known.
std::int64_t message_bytes(const RankCollective& one, std::int64_t ranks);

// What the traffic on the slowest link is per byte of the message and of time, with `ranks` in the group, so that
// bandwidths of different collectives can be compared with that of the hardware: 2(n-1)/n for all_reduce, (n-1)/n for
// all_gather, reduce_scatter, all_to_all, gather and scatter, else 1. NaN for a barrier, an unknown kind, and n below 2.
double bus_factor(CollectiveKind kind, std::int64_t ranks);

}  // namespace sightline::analyses
