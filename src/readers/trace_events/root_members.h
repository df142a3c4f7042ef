// The members of a trace's root object other than its events: device properties, base time, metadata.
// A plain scan, tolerant of what comes after the events being cut off.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::trace_events {

// Key and value in order, both as JSON text (the key without its quotes).
using RootMembers = std::vector<std::pair<std::string, std::string>>;

enum class RootScan { found_events, ended, need_more, not_json };

// Scans members from text[at] on (after the '{', or after the events). At the events' array it stops with
// found_events and `at` behind its '['. need_more: the text ends inside a member, `at` is where that one begins.
RootScan scan_root_members(std::string_view text, std::size_t& at, RootMembers& members);

// Fills devices, metadata, rank, world size and the origin from the members; returns baseTimeNanoseconds or 0.
std::int64_t apply_root_members(const RootMembers& members, Profile& profile);

}  // namespace sightline::trace_events
