// What a block of memory was most likely for, told from the ranges it was allocated and released in. A trace does not say which
// tensor a block belongs to, so this is a judgement by rules; where they do not say, it is unknown.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/memory/memory_blocks.h"

namespace sightline::analyses {

enum class MemoryCategory : std::uint8_t { activation, gradient, optimizer_state, temporary, before_recording, unknown };
inline constexpr std::size_t kMemoryCategories = 6;

std::string_view category_name(MemoryCategory category);

// The rules, one sentence each, in the order in which they are tried.
std::string category_rules();

// Judges blocks of one scope.
class MemoryJudge {
 public:
  explicit MemoryJudge(const MemoryScope& scope);
  MemoryCategory of(const MemoryBlock& block) const;

 private:
  enum class Part : std::uint8_t { none, forward, backward, optimizer };

  Part part_of(Row event) const;
  bool outlives_step(const MemoryBlock& block) const;
  bool sees_optimizer(const MemoryBlock& block) const;
  bool released_in_call(const MemoryBlock& block) const;

  const MemoryScope& scope_;
  std::vector<Part> part_;  // by node: of the innermost range that tells
  std::vector<Time> optimizer_starts_;
  std::vector<Row> outermost_;  // by node: the outermost operator around it, or itself; kNoRow
};

}  // namespace sightline::analyses
