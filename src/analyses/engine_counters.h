// Counters of devices that run programs on engines of their own: how busy each engine is, and how fast it computes.
#pragma once

#include <vector>

#include "analyses/counters.h"

namespace sightline {

// Of the device; empty when it has no engines, or none of their work is known. The process is left to the caller.
std::vector<Counter> engine_counters(const Profile& profile, std::int64_t device);

}  // namespace sightline
