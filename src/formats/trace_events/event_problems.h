// What was wrong with single events, summed up as rows of the problems table.
#pragma once

#include <vector>

#include "formats/trace_events/event_batch.h"
#include "model/profile.h"

namespace sightline::formats::trace_events {

// One row per kind of problem, with its count and the offset of the first.
void report_problems(const std::vector<EventBatch>& batches, Profile& profile);

}  // namespace sightline::formats::trace_events
