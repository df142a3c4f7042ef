// Advice from several ranks together: which rank is slow, and which link.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyses/ranks/distributed_tables.h"

namespace sightline::analyses {

struct RankAdviceRule {
  std::string_view id;
  std::string_view when;  // the condition, as a formula
  std::optional<Advice> (*judge)(const Distributed&);
};

std::span<const RankAdviceRule> rank_advice_rules();

// The rule about the waiting of one worker.
inline constexpr std::string_view kWaitingRule = "waiting_in_collectives";

// What the rules found, most severe first.
std::vector<Advice> advise_ranks(const Distributed& all);

// The same for the page of one worker, in the order of the rules: its own waiting, and links from there.
std::vector<Advice> advise_rank(const Distributed& all, std::size_t own);

// Adds to an advice in what a rank is slow: a finding about the same cause.
void add_slow_rank(Advice& cause, Advice slow);

}  // namespace sightline::analyses
