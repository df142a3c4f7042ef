// Which operator call each piece of device work belongs to, and what the call costs: the rows of operator_costs and costed_calls.
#pragma once

#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

class CostModel;

// Makes the rows anew. Device work belongs to the innermost operator with a formula, from its owner outwards. A product of fp32
// counts as tf32 if the name of one of its kernels says so.
void add_costed_calls(Profile& profile, const CostModel& model);

// Whether a slice of device work can have a cost: not a collective, nor a copy between the host and a device, whose speed is that
// of the link.
bool can_have_cost(const Profile& profile, Row slice);

// By row of device_work: its row of costed_calls, kNoRow if it has none.
std::vector<Row> calls_of_work(const Profile& profile);

}  // namespace sightline::analyses
