// The call of an operator that a recording has most often.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyses/costs/cost_model.h"
#include "model/profile.h"

namespace sightline::analyses {

struct RecordedCall {
  OperatorCall call;        // texts of the profile
  std::int64_t calls = 0;   // with these inputs
  std::int64_t others = 0;  // calls of this operator with other inputs
};

// The inputs with the most calls of the operator; of equal ones, the first. With `shapes`, only calls with these shapes.
// Nothing: no call fits.
std::optional<RecordedCall> most_frequent_call(const Profile& profile, std::string_view name, std::string_view shapes);

}  // namespace sightline::analyses
