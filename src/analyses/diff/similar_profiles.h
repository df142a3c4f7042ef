// Which profile a comparison is most useful with: how alike two profiles are, by their operators, devices, world size and number
// of steps. It is proposed, with the reasons, and the user decides.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyses/ranks/rank_summary.h"
#include "model/report.h"

namespace sightline::analyses {

// A profile and what is known about it without opening it.
struct ProfileSketch {
  ProfilePlace place;
  const RankSummary* rank;
};

// How alike two profiles are. What either of them does not know is NaN and does not count.
struct Likeness {
  double operators = 0;  // of all names of operators of both, those that both have
  double devices = 0;    // 1: the same number of devices of the same names
  double world = 0;      // 1: the same number of ranks
  double steps = 0;      // the smaller number of steps / the larger
  double share = 0;      // all together: 0.5, 0.2, 0.15 and 0.15 of the four
};

Likeness likeness_of(const RankSummary& a, const RankSummary& b);

// The others, the most alike first. Another rank of the same run and span comes after profiles that are at least half alike: it
// is the same job. Equally alike ones keep their order.
std::vector<std::size_t> by_likeness(const ProfileSketch& baseline, std::span<const ProfileSketch> others);

// The table of that report, without rows.
ReportTable blank_proposal_table();

// The report that proposes the first of them: nothing is compared in it. `reading`: profiles that are not known yet.
// REQUIRES: there are others.
Report proposal(std::string_view view, const Message& title, const ProfileSketch& baseline, std::span<const ProfileSketch> others,
                std::size_t reading);

}  // namespace sightline::analyses
