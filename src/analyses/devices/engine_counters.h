// Counters of devices that run programs on engines of their own: how busy each engine is, and how fast it computes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyses/devices/counters.h"

namespace sightline::analyses {

// Whether the device has engines.
bool has_engines(const Profile& profile, std::int64_t device);

// Share of the time that `work` ran, 0 to 100, in the buckets that are described beside each counter of engines.
CounterSeries busy_shares(Message title, const IntervalSet& work, Interval window);
inline constexpr std::string_view kEngineBuckets =
    "a bucket is the smallest power of ten ns with which at most 20,000 buckets cover the recording";

// Of the device; empty when it has no engines, or none of their work is known. The process is left to the caller.
std::vector<Counter> engine_counters(const Profile& profile, std::int64_t device);

}  // namespace sightline::analyses
