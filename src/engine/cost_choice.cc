// The program's own formulas are read once.
#include "engine/cost_choice.h"

#include "analyses/costs/costed_calls.h"
#include "base/check.h"

namespace sightline::engine {

namespace {

const CostModel& own_formulas() {
  static const Result<CostModel> model = CostModel::make();
  CHECK(model);
  return *model;
}

}  // namespace

void add_costs(Profile& profile, const CostChoice& choice) {
  add_costed_calls(profile, choice.formulas != nullptr ? *choice.formulas : own_formulas());
  add_device_peaks(profile, choice.peaks);
}

}  // namespace sightline::engine
