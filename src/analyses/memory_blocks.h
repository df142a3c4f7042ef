// The blocks of memory that were allocated or released in a scope: by which operator, how large, from when to when.
#pragma once

#include "analyses/memory_scope.h"
#include "model/report.h"

namespace sightline {

// One block: its allocation and its release, rows of memory_events; kNoRow where it was not recorded.
struct MemoryBlock {
  Row allocation = kNoRow;
  Row release = kNoRow;
};

// In the order of their first event in the scope. Ends outside of its window are found, too.
std::vector<MemoryBlock> memory_blocks(const MemoryScope& scope);

// "aten::mm"; "aten::mm (aten::empty)" for an allocation that only serves the range around it; empty when the event is in no
// operator.
std::string operator_words(const MemoryScope& scope, Row event);

ReportTable blank_memory_blocks();

// Largest first.
ReportTable memory_blocks_table(const MemoryScope& scope);

}  // namespace sightline
