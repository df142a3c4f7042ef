// What each component of the software (an allocator, a module of the driver) held of a device over time, and its maximum.
#pragma once

#include <vector>

#include "analyses/memory/memory_records.h"
#include "model/report.h"

namespace sightline::analyses {

// One component inside a scope's window: its records there, and the one before, which still holds when the window begins.
// Rows of memory_usage.
struct MemoryComponent {
  StringId name;
  Row carried = kNoRow;  // the last record before the window
  Row first = 0, last = 0;
  // The first records with the most; kNoRow where none states it.
  Row peak_reserved = kNoRow, peak_allocated = kNoRow, peak_active = kNoRow;
};

// The components of the scope's device with any record up to the window's end, the largest first.
std::vector<MemoryComponent> memory_components(const MemoryScope& scope);

ReportTable blank_component_table();
ReportTable component_table(const MemoryScope& scope, const std::vector<MemoryComponent>& components);

// A curve per component that ever held memory, the `kMostDrawn` largest: reserved or allocated bytes. One table each, with
// common times, so that their charts have them too.
inline constexpr std::size_t kMostDrawn = 8;
struct ComponentCurves {
  ReportTable reserved, allocated;
  std::int64_t left_out = 0;  // components that held memory and are too many to draw
  std::int64_t distant = 0;   // records too far from the recording to be drawn with it
};
ComponentCurves component_curves(const MemoryScope& scope, const std::vector<MemoryComponent>& components);

}  // namespace sightline::analyses
