// Sums of collectives: by worker and operation, and over all workers by kind and size.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyses/ranks/collective_match.h"

namespace sightline::analyses {

// One operation in one process group of one worker.
struct OperationSums {
  std::uint32_t rank = 0;
  std::string name;
  std::string group;  // what the program calls it, else its name; empty when unknown
  std::int64_t calls = 0;
  std::int64_t sized = 0, bytes = 0;  // calls of known size, and what they put in
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
  std::string group;  // what the program calls it; empty when unknown
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

// Whether the collective belongs to the step of this number; every one does to none.
bool is_in_step(const RankSummary& rank, const RankCollective& one, std::optional<std::int64_t> step);

}  // namespace sightline::analyses
