// The steps of inference engines, from the names of the ranges around them. Each engine has its own grammar; all of them fill
// the same table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/profile.h"

namespace sightline::formats {

// What a range's name states of the step; kUnknown: it does not.
struct ServingStep {
  // Of the requests that it processes the prompt of, or of those that it generates tokens for.
  struct Part {
    std::int64_t requests = kUnknown, tokens = kUnknown;
    std::int64_t sq = kUnknown, sk = kUnknown, sqsq = kUnknown, sqsk = kUnknown;  // sums over the requests
  };

  ServingPhase phase = ServingPhase::unknown;
  std::int64_t requests = kUnknown, tokens = kUnknown;  // of both parts
  std::int64_t padded_batch = kUnknown;
  std::string_view image_size = {};  // "1024x1024", a part of the name
  Part prefill = {}, decode = {};
  bool detailed = false;  // the sums are stated
};

// Nothing: the name is not that of an engine's step.
std::optional<ServingStep> parse_serving_step(std::string_view name);

// Adds a row for each such range of the host. Where some state the sums, others are parts of these and are left out. If the
// profile has no steps, these become its steps, numbered from 0: those of the thread that has most. REQUIRES: slices are
// complete.
void add_serving_steps(Profile& profile);

}  // namespace sightline::formats
