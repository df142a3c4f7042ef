// CaptureSummary: what the list of profiles says about a loaded one, worked out once: a few facts, how many
// problems were met while reading, and which views it can have.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyses/analysis.h"
#include "model/profile.h"

namespace sightline::engine {

struct CaptureFact {
  std::string label;
  std::string text;
};

struct CaptureSummary {
  std::vector<CaptureFact> facts;
  std::int64_t problems = 0;                                          // warnings and errors; notes are not counted
  std::string caution;                                                // see caution_of
  std::vector<std::pair<std::string, std::optional<Message>>> views;  // id, and why it is not available
};

// The code of the problem of a profile that was read in part, for want of memory.
inline constexpr std::string_view kMemoryLimit = "memory_limit";

// What must be beside every figure of the profile, since it is about all of them; usually empty.
std::string caution_of(const Profile& profile);

CaptureSummary summarise(const Profile& profile, std::span<const Analysis> analyses);

}  // namespace sightline::engine
