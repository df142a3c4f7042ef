// Collectives across ranks: which collective of one rank is which of another, how long data moved, who waited for whom, and what
// that sums to by worker, step, kind and size.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"

namespace sightline::analyses {

// ---- matching ----
// Collectives of one process group (role, name and list of ranks) are one when they have the same kind and sequence number; those
// without a number when they are the k-th of their kind and size in the step of the same number, if all ranks that have any
// there have equally many. Transfers from one rank to another are matched only in groups of two: elsewhere each pair counts
// separately.
//
// A collective ends on all its ranks together, when the data is there; so nothing depends on the clocks of different hosts
// being the same. The rank that is in it the shortest came last: until then the others waited, from then on data moved.

inline constexpr std::uint32_t kNoMatch = 0xFFFFFFFF;

struct CollectiveMember {
  std::uint32_t rank;   // index of the ranks that were matched
  std::uint32_t index;  // of its collectives
};

// One collective, on two ranks or more.
struct MatchedCollective {
  std::uint32_t first = 0, members = 0;  // in CollectiveMatch::members
  std::uint32_t last_rank = 0;           // the rank that came last; the first of equals
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

// What must be equal on all ranks of one collective, beside the group and how many collectives with an equal key came before on
// the rank.
struct MatchKey {
  CollectiveKind family = CollectiveKind::unknown;  // send and receive are one
  bool by_order = false;
  std::int64_t number = kUnknown;  // in sequence; by order: of the step, if it is in one
  std::int64_t bytes = 0;          // by order
  friend bool operator==(const MatchKey&, const MatchKey&) = default;
  friend auto operator<=>(const MatchKey&, const MatchKey&) = default;
};

// Equal for the collectives of one process group: the role of its ranks, its name, and the list of its ranks.
std::string group_key(const RankSummary& rank, const RankCollective& one);

// Nothing: it is not matched, because it goes from one rank to another in a larger group.
std::optional<MatchKey> match_key_of(const RankSummary& rank, const RankCollective& one);

// The size to which a collective's bandwidth refers: what a rank ends with (all_gather), what the root has (gather, scatter),
// else what a rank starts with. `ranks` is the size of the group. kUnknown if unknown.
std::int64_t message_bytes(const RankCollective& one, std::int64_t ranks);

// The traffic on the slowest link per byte of the message and of time, with `ranks` in the group, so that bandwidths of
// different collectives can be compared with that of the hardware: 2(n-1)/n for all_reduce, (n-1)/n for all_gather,
// reduce_scatter, all_to_all, gather and scatter, else 1. NaN for a barrier, an unknown kind, and n below 2.
double bus_factor(CollectiveKind kind, std::int64_t ranks);

// ---- sums by worker and operation, and over all workers by kind and size ----

// One operation in one process group of one worker.
struct OperationSums {
  std::uint32_t rank = 0;
  std::string title;  // the kind, which all views name alike; else as recorded
  std::string name;   // as recorded
  std::string group;  // the program's name for it, else its id; empty when unknown
  std::int64_t calls = 0;
  std::int64_t sized = 0, bytes = 0;  // calls of known size, and the bytes that they contribute
  Time latency = 0;                   // sum of the times in it
  std::int64_t matched = 0;           // calls
  Time transfer = 0, waiting = 0;     // sums over these
};

// By rank, in the order of their first calls. `step`: only calls of the step of this number.
std::vector<OperationSums> operation_sums(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match,
                                          std::optional<std::int64_t> step);

// Matched collectives of one kind, among groups of one size and use, that move messages of one size.
struct BandwidthSums {
  CollectiveKind kind = CollectiveKind::unknown;
  std::string group;  // the program's name for it; empty when unknown
  std::int64_t ranks = kUnknown;
  std::int64_t bytes = kUnknown;
  std::int64_t collectives = 0;
  std::int64_t timed = 0;  // those that took any time to transfer
  Time transfer = 0, fastest = 0;
  Time waited = 0;  // of all their members
  std::int64_t members = 0;

  // Bytes per second, NaN when unknown.
  double algorithm_bandwidth() const;
  double bus_bandwidth() const;
  double best_bus_bandwidth() const;
};

std::vector<BandwidthSums> bandwidth_sums(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match,
                                          std::optional<std::int64_t> step);

// Whether the collective belongs to the step of this number; true without a step.
bool is_in_step(const RankSummary& rank, const RankCollective& one, std::optional<std::int64_t> step);

// ---- outliers among a few figures ----

// Whether the smallest figure is too far below the others to be one of them, with 99.5% confidence: Dixon's test on one side
// (r10 to 7 figures, r11 to 10, r21 to 13, r22 above) up to 100 figures, below mean - 3 standard deviations with more. Two
// figures are too few for a test. REQUIRES: ascending.
bool is_least_outlying(std::span<const double> figures);

// The value above which the ratio of `n` figures is an outlier's. REQUIRES: n is from 3 to 100.
double dixon_critical_value(std::size_t n);

// ---- RankTimes: what each worker did in each step, given the matched collectives ----

// One worker in one step, or its mean step; ns, times of the worker. Two sums hold:
// computation + overlap + communication + other = total, and transfer + waiting + unmatched = overlap + communication.
struct RankTimes {
  double total = 0, computation = 0, overlap = 0, communication = 0, other = 0;
  double transfer = 0;   // data moves in some collective
  double waiting = 0;    // it only waits in collectives for others to come
  double unmatched = 0;  // it is only in collectives that are not known on any other worker
  double caused = 0;     // sum of the others' waiting in collectives that it came to last
  double delay = 0;      // sum over those of how much later it came than the one before
  double last = 0;       // how many those are
  double outlying = 0;   // how many of them it came to later than chance explains
};

struct TimesOfRank {
  std::vector<RankTimes> steps;  // as RankSummary::steps
  RankTimes mean;                // over steps that are not empty
  std::size_t counted = 0;       // such steps
};

std::vector<TimesOfRank> times_of_ranks(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match);

}  // namespace sightline::analyses
