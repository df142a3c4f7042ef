// RankTimes: what each worker did in each step, once it is known which collectives belong together.
#pragma once

#include <span>
#include <vector>

#include "analyses/ranks/collective_match.h"

namespace sightline::analyses {

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
