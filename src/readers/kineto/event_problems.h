// What was wrong with single events, summed up as rows of the problems table.
#pragma once

#include <vector>

#include "model/profile.h"
#include "readers/kineto/event_batch.h"

namespace sightline::kineto {

// One row per kind of problem, with its count and the offset of the first.
void report_problems(const std::vector<EventBatch>& batches, Profile& profile);

}  // namespace sightline::kineto
