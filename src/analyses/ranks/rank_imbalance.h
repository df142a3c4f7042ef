// Slow ranks and slow links: how much the workers differ in the parts of their steps, and in the speed of their links.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyses/ranks/distributed_tables.h"
#include "analyses/ranks/rank_summary.h"

namespace sightline::analyses {

// A difference between workers is significant above this share of the mean step (source: the advisor of msprof-analyze); in
// computing, which waits for nothing, also above a tenth of the mean computing, if it is 1% of the step.
inline constexpr double kSlowRank = 0.05;
inline constexpr double kSlowComputing = 0.10, kLeastOfStep = 0.01;

// The workers that have the most and the least of something.
struct Spread {
  double mean = 0, median = 0, most = 0, least = 0;
  std::size_t most_rank = 0, least_rank = 0;  // index of the ranks
  std::size_t workers = 0;

  double difference() const { return most - least; }
};

enum class RankPart : std::uint8_t { computing, communicating, free };

// One part of the step over all workers, or those of one role: ranks of different roles do different work. ns.
struct PartSpread {
  RankPart part;
  bool stated = false;  // by the files; else computed from slices
  Spread spread;
  double step = 0;        // mean over workers of computing + communicating + free
  std::string role = {};  // of the workers; empty without roles

  double share() const { return step > 0 ? spread.difference() / step : kUnknownNumber; }
  bool is_slow() const {
    const bool uneven = part == RankPart::computing && spread.difference() > kSlowComputing * spread.mean;
    return share() > kSlowRank || (uneven && share() >= kLeastOfStep);
  }
};

// Computed and stated, where two workers or more have them.
std::vector<PartSpread> part_spreads(const Distributed& all);

// Of one part: as stated, else computed, because some slices may be missing, while sums cover all of them. Of several roles that
// in which workers differ most. Null without either.
const PartSpread* spread_of(const std::vector<PartSpread>& all, RankPart part);

// Bandwidth of all links of one reach, over the workers that use them; bytes per second.
struct LinkSpread {
  LinkReach reach;
  std::string transports;  // "HCCS, PCIE"
  Spread spread;
};
std::vector<LinkSpread> link_spreads(const Distributed& all);

// The ranks of one process group that exchange tokens in all-to-alls: whose experts get most of them. Without byte counts, time
// only.
struct ExpertBalance {
  std::string group, about;
  std::int64_t calls = 0;  // of all ranks
  // Per step: bytes, ns in all-to-alls, ns computing. Nothing: not known of all ranks.
  std::optional<Spread> received{}, moving{}, computing{};
};
std::vector<ExpertBalance> expert_balances(const Distributed& all);

std::string_view part_title(RankPart part);

ReportTable blank_slow_ranks();
ReportTable slow_ranks_table(const Distributed& all);

ReportTable blank_experts();
ReportTable experts_table(const Distributed& all);

ReportTable blank_slow_links();
ReportTable slow_links_table(const Distributed& all);

}  // namespace sightline::analyses
