// What each operator did to a device's memory: the six measures of the memory view's statistics.
#pragma once

#include "analyses/memory/memory_scope.h"
#include "model/report.h"

namespace sightline::analyses {

struct MemorySums {
  std::int64_t increase = 0;     // bytes allocated - bytes released
  std::int64_t allocations = 0;  // how many
  std::int64_t allocated = 0;    // bytes

  void add(std::int64_t bytes) {
    increase += bytes;
    if (bytes <= 0) return;
    ++allocations;
    allocated += bytes;
  }
  bool operator==(const MemorySums&) const = default;
};

ReportTable blank_memory_operators();

// One row per operator with any measure that is not 0, by self size increase.
ReportTable memory_operators(const MemoryScope& scope);

}  // namespace sightline::analyses
