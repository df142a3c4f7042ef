// What the allocator's entries mean: allocations and releases with the totals after each.
#pragma once

#include "formats/common/profile_builder.h"
#include "formats/torch_memory/snapshot.h"

namespace sightline::formats::torch_memory {

// Fills memory_events and takes the entries of `read`. What else the allocator did (segments, failures) becomes instants of a
// lane. Times become ns since `origin`, which is in µs.
void add_history(SnapshotSink& read, std::int64_t origin, ProfileBuilder& out);

}  // namespace sightline::formats::torch_memory
