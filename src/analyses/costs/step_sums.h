// The sums over the requests of an engine's step, which the name of the step's range states.
#pragma once

#include <string_view>

#include "base/layers.h"

namespace sightline::analyses {

// A sum (sq: queries, sk: keys, sqsq, sqsk: products of both) of the prompts ("context") or of the tokens that are generated
// ("generation"). Of a step that states sums only for the other part: 0. NaN: not stated. Three notations:
//   execute_6147_context_2(sq6144sk7144sqsq20sqsk23)_generation_3(sq3sk6144sqsq3sqsk6144)
//   step[MIXED bs=2 c=1 g=1 c_sq=5 c_sk=8 c_sqsq=25 c_sqsk=40 g_sq=1 g_sk=12 g_sqsq=1 g_sqsk=12]
//   prefill[bs=2 tok=14 sqsq=100 sqsk=100 sk=14], or decode[...]
double stated_sum(std::string_view annotation, std::string_view part, std::string_view name);

}  // namespace sightline::analyses
