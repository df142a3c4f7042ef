// The sums over the requests of an inference engine's step, on which the cost of its attention depends.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/profile.h"

namespace sightline::analyses {

// Sums over requests: sq of queries, sk of keys, sqsq and sqsk of their products. NaN: not stated.
struct PartSums {
  double sq = kUnknownNumber;
  double sk = sq, sqsq = sq, sqsk = sq;
};

struct ServingStepSums {
  PartSums context, generation;  // of the prompts, and of the tokens that are generated
};

// Each may be kUnknown; then all are NaN.
PartSums part_sums(std::int64_t sq, std::int64_t sk, std::int64_t sqsq, std::int64_t sqsk);

// A step that states the sums of one part has no requests in the other.
ServingStepSums step_sums(const PartSums& context, const PartSums& generation);

ServingStepSums step_sums(const ServingSteps& steps, Row step);

bool are_stated(const ServingStepSums& sums);

// NaN: not stated, or no such name. `part`: context or generation; `name`: sq, sk, sqsq or sqsk.
double stated_sum(const ServingStepSums& sums, std::string_view part, std::string_view name);

}  // namespace sightline::analyses
