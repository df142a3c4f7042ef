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

// What the rules found, most severe first.
std::vector<Advice> advise_ranks(const Distributed& all);

}  // namespace sightline::analyses
