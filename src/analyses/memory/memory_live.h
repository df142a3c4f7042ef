// What was allocated at one moment: at the peak, or when the user says.
#pragma once

#include "analyses/memory/memory_categories.h"
#include "analyses/memory/memory_curve.h"
#include "model/report.h"

namespace sightline::analyses {

struct LiveMemory {
  Row moment = kNoRow;                   // the last event up to the moment; kNoRow before the first
  bool known = false;                    // whether addresses and totals tell
  std::vector<MemoryBlock> blocks = {};  // those whose allocation or release was recorded
  std::int64_t earlier = 0;              // bytes allocated before the recording and not released in it
};

// At `scope.at`, else at the peak.
LiveMemory live_memory(const MemoryScope& scope, const MemoryPeaks& peaks);

ReportTable blank_live_table();

// Largest group first. `group_by`: operator, module, stack or category.
ReportTable live_table(const MemoryScope& scope, const LiveMemory& live, const MemoryJudge& judge, const std::string& group_by);

ReportTable blank_category_table();

// The blocks of the scope by category, and what of each was live.
ReportTable category_table(const MemoryScope& scope, const std::vector<MemoryBlock>& blocks, const LiveMemory& live,
                           const MemoryJudge& judge);

}  // namespace sightline::analyses
