// The tables of the view across ranks.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analyses/ranks/clock_alignment.h"
#include "analyses/ranks/collectives.h"
#include "model/report.h"

namespace sightline::analyses {

// All workers of a span, matched. `step`: only the step of this number, else means over each worker's steps.
struct Distributed {
  std::span<const RankSummaryPtr> ranks;
  CollectiveMatch match;
  std::vector<TimesOfRank> times;  // by rank
  std::optional<std::int64_t> step;

  bool know_waits() const { return !match.matched.empty(); }
  // Null when the worker has no such step, or none of any length.
  const RankTimes* times_of(std::size_t rank) const;
};

// By role, then by rank, those of unknown rank last.
std::vector<RankSummaryPtr> by_rank(std::span<const RankSummaryPtr> ranks);

// REQUIRES: `ranks` outlives the result.
Distributed match_ranks(std::span<const RankSummaryPtr> ranks, std::optional<std::int64_t> step = {});

// Ranks of the job as recorded, of all roles; kUnknown if no file says, or no file of a role.
std::int64_t world_size_of(std::span<const RankSummaryPtr> ranks);

// Where a worker ran: as recorded, else from its name, "<node>_<process id>"; empty if unknown.
struct RankAddress {
  std::string node, process;
};
RankAddress address_of(const RankSummary& rank);

// How many ranks of the job the files mention; kUnknown if none. It is the size of the job where a file states that.
std::int64_t ranks_of_job(std::span<const RankSummaryPtr> ranks);

// Nodes, processes and devices, each under the one it belongs to.
inline constexpr std::string_view kUnknownNode = "Node not recorded";
ReportTable blank_hierarchy();
ReportTable hierarchy_table(std::span<const RankSummaryPtr> ranks);

ReportTable blank_workers();
ReportTable workers_table(const Distributed& all);

// Workers by steps.
ReportTable blank_worker_steps();
ReportTable worker_steps_table(const Distributed& all);

ReportTable blank_operations();
ReportTable operations_table(const Distributed& all);

ReportTable blank_bandwidth();
ReportTable bandwidth_table(const Distributed& all);

// The collectives that were waited in longest.
inline constexpr std::size_t kLongestWaits = 100;
ReportTable blank_waits();
ReportTable waits_table(const Distributed& all);

}  // namespace sightline::analyses
