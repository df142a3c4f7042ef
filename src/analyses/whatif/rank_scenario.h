// Scenarios of a job. Those of one profile (scenario.h) hold on each rank that has what they name; and
//
//   rank:N CHANGE      only on this rank: its number, else the name of its worker
//   rank:N as-median   in each step, its kernels take as long as those of the same name do on the other ranks, and so does its
//                      host's code: by the median of these ranks
//   no-waiting         in collectives, no rank waits for another
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyses/whatif/rank_graph.h"
#include "analyses/whatif/scenario.h"

namespace sightline::analyses {

// Whether the text has a change that only a job can have.
bool is_about_ranks(std::string_view text);

struct RankScenarioPart {
  std::string text;
  std::int64_t ranks = 0;  // on how many it holds
  std::int64_t works = 0;  // pieces of device work
  Time time = 0;           // of these, or of the host; of waiting
  bool at_most = false;
};

struct RankScenario {
  RankChange change;
  std::vector<RankScenarioPart> parts;
  bool at_most = false;
};

// An error names the change and says what would be valid, or that it selects nothing on any rank.
Result<RankScenario> make_rank_scenario(const RankGraph& graph, std::string_view text);

// Of one rank as the median of the others.
RankChange as_median(const RankGraph& graph, std::uint32_t rank);

// How long it waits in joined collectives for other ranks.
Time waiting_of(const RankGraph& graph, std::uint32_t rank);

}  // namespace sightline::analyses
