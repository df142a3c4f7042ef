// The table of memory events: one row per block.
#pragma once

#include "analyses/memory/memory_categories.h"
#include "model/report.h"

namespace sightline::analyses {

ReportTable blank_block_table();

// Largest first.
ReportTable block_table(const MemoryScope& scope, std::vector<MemoryBlock> blocks, const MemoryJudge& judge);

}  // namespace sightline::analyses
