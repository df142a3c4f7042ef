// The blocks of memory that were allocated or released in a scope, and the operators that did it.
#pragma once

#include <string>
#include <vector>

#include "analyses/memory/memory_scope.h"

namespace sightline::analyses {

// One block: its allocation and its release, rows of memory_events; kNoRow where it was not recorded.
struct MemoryBlock {
  Row allocation = kNoRow;
  Row release = kNoRow;
};

// In the order of their first event in the scope. Ends outside of its window are found, too.
std::vector<MemoryBlock> memory_blocks(const MemoryScope& scope);

// The operator call whose innermost range an event happened in, as a node of the host tree; kNoRow when it is in no operator.
Row operator_of(const MemoryScope& scope, Row event);

// The operator's name, or of one that only makes empty tensors the name of the range around it and its own: "aten::mm
// (aten::empty)". `around` is StringId::none for others.
struct OperatorName {
  StringId around = StringId::none;
  StringId name = StringId::none;  // none: in no operator
};
OperatorName operator_name(const MemoryScope& scope, Row event);
std::string operator_words(const Profile& profile, const OperatorName& name);

std::int64_t size_of(const MemoryScope& scope, const MemoryBlock& block);  // bytes

}  // namespace sightline::analyses
