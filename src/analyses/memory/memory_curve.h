// How much memory of a device was allocated and reserved over time, when it was most, and what was allocated at one moment: at
// the peak, or when the user chooses.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyses/memory/memory_blocks.h"
#include "analyses/memory/memory_records.h"
#include "model/report.h"
#include "model/tables.h"

namespace sightline::analyses {

// ---- fewer rows for a chart, without losing a peak ----

inline constexpr std::size_t kMostCurveRows = 9'000;  // a chart takes all its rows; more would be paged

// Which rows of curves with common times to keep, in order: all if there are at most `most`, else the first and last of each
// stretch of equal time and those with the minimum and maximum of each series; an unknown value is the minimum. `time` is
// sorted, each series as long. At most `most` rows, as long as that is four or more per series.
std::vector<std::size_t> thinned_rows(std::span<const Time> time, const std::vector<std::span<const std::int64_t>>& series,
                                      std::size_t most = kMostCurveRows);

// ---- the curve ----

// The allocator's totals in a scope. Rows of memory_events; kNoRow where no event has the total.
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

// ---- what was allocated at one moment ----
// At the peak, or at the moment that the user chooses.

struct LiveMemory {
  Row moment = kNoRow;                   // the last event up to the moment; kNoRow before the first
  bool known = false;                    // whether addresses and totals determine it
  std::vector<MemoryBlock> blocks = {};  // with a recorded allocation or release
  std::int64_t earlier = 0;              // bytes allocated before the recording and not released in it
};

// At `scope.at`, else at the peak.
LiveMemory live_memory(const MemoryScope& scope, const MemoryPeaks& peaks);

ReportTable blank_live_table();

// Largest group first. `group_by`: operator, module, stack or category.
ReportTable live_table(const MemoryScope& scope, const LiveMemory& live, const MemoryJudge& judge, const std::string& group_by);

ReportTable blank_category_table();

// The blocks of the scope by category, and how much of each was live.
ReportTable category_table(const MemoryScope& scope, const std::vector<MemoryBlock>& blocks, const LiveMemory& live,
                           const MemoryJudge& judge);

}  // namespace sightline::analyses
