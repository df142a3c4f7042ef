// The view across ranks, for a few ranks whose profiles are written as text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyses/ranks/rank_summary.h"
#include "analyses/views.h"
#include "tests/support/text_profile.h"

namespace sightline::tests {

inline RankSummaryPtr rank_of(std::string worker, std::string_view text) {
  return std::make_shared<const RankSummary>(summarise_rank(*text_profile(text), std::move(worker)));
}

using GivenParameters = std::vector<std::pair<std::string, std::string>>;

inline Result<Report> try_ranks(const std::vector<RankSummaryPtr>& ranks, const GivenParameters& given = {}) {
  const Analysis& analysis = *find_analysis("distributed");
  const Result<Parameters> parameters = bind_parameters(analysis, given);
  if (!parameters) return parameters.error();
  return analysis.run({.profiles = {}, .parameters = *parameters, .ranks = ranks});
}

inline Report run_ranks(const std::vector<RankSummaryPtr>& ranks, const GivenParameters& given = {}) {
  return *try_ranks(ranks, given);
}

}  // namespace sightline::tests
