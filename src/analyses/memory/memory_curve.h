// How much memory of a device was allocated and reserved over time, and when most.
#pragma once

#include "analyses/memory/memory_scope.h"
#include "model/report.h"

namespace sightline::analyses {

// What the allocator's own totals say of a scope. Rows of memory_events; kNoRow where no event carries the total.
struct MemoryPeaks {
  Row allocated = kNoRow;  // the first event after which most was allocated
  Row reserved = kNoRow;
  Row last = kNoRow;               // the last event that carries totals
  std::int64_t before = kUnknown;  // allocated when the scope began; for the whole recording, before its first event
};

MemoryPeaks memory_peaks(const MemoryScope& scope);

ReportTable blank_memory_curve();

// One row per event, in order of time, and one at each end. Where there are too many, those that hold the least and the
// most of a stretch stay, so that no peak is lost.
ReportTable memory_curve(const MemoryScope& scope);

}  // namespace sightline::analyses
