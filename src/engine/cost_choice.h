// CostChoice: formulas of operators and peaks of devices that the user gives, beside those that the program has.
#pragma once

#include <memory>
#include <vector>

#include "analyses/costs/cost_model.h"
#include "analyses/peaks/device_peaks.h"
#include "model/profile.h"

namespace sightline::engine {

struct CostChoice {
  std::shared_ptr<const CostModel> formulas = {};  // null: those of the program
  std::vector<GivenPeak> peaks = {};

  // Whether the tables of costs differ from those of a profile in the cache.
  bool any() const { return formulas != nullptr || !peaks.empty(); }
};

// Fills the tables of costs: operator_costs, costed_calls, device_peaks.
void add_costs(Profile& profile, const CostChoice& choice);

}  // namespace sightline::engine
