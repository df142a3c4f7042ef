#include "analyses/costs/step_sums.h"

#include <algorithm>
#include <cmath>

namespace sightline::analyses {

PartSums part_sums(std::int64_t sq, std::int64_t sk, std::int64_t sqsq, std::int64_t sqsk) {
  if (std::min({sq, sk, sqsq, sqsk}) < 0) return {};  // kUnknown is the least
  return {static_cast<double>(sq), static_cast<double>(sk), static_cast<double>(sqsq), static_cast<double>(sqsk)};
}

ServingStepSums step_sums(const PartSums& context, const PartSums& generation) {
  constexpr PartSums kNoRequests{0, 0, 0, 0};
  if (std::isnan(context.sq) && !std::isnan(generation.sq)) return {kNoRequests, generation};
  if (std::isnan(generation.sq) && !std::isnan(context.sq)) return {context, kNoRequests};
  return {context, generation};
}

ServingStepSums step_sums(const ServingSteps& s, Row step) {
  return step_sums(part_sums(s.prefill_sq[step], s.prefill_sk[step], s.prefill_sqsq[step], s.prefill_sqsk[step]),
                   part_sums(s.decode_sq[step], s.decode_sk[step], s.decode_sqsq[step], s.decode_sqsk[step]));
}

bool are_stated(const ServingStepSums& sums) { return !std::isnan(sums.context.sq); }

double stated_sum(const ServingStepSums& sums, std::string_view part, std::string_view name) {
  const PartSums& of = part == "context" ? sums.context : sums.generation;
  if (name == "sq") return of.sq;
  if (name == "sk") return of.sk;
  if (name == "sqsq") return of.sqsq;
  return name == "sqsk" ? of.sqsk : PartSums().sq;
}

}  // namespace sightline::analyses
