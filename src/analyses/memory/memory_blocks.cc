// Allocations and releases as blocks.
#include "analyses/memory/memory_blocks.h"

#include <cstdlib>

namespace sightline::analyses {

std::vector<MemoryBlock> memory_blocks(const MemoryScope& scope) {
  const MemoryRecords& records = *scope.records;
  const auto& times = scope.profile->memory_events.time;
  std::vector<MemoryBlock> blocks;
  for (const Row event : scope.events) {
    if (allocates(*scope.profile, event)) {
      blocks.push_back({event, records.partner[event]});
    } else if (records.partner[event] == kNoRow || !scope.inside(times[records.partner[event]])) {
      blocks.push_back({records.partner[event], event});
    }
  }
  return blocks;
}

Row operator_of(const MemoryScope& scope, Row event) {
  const Row node = event == kNoRow ? kNoRow : scope.records->node[event];
  return node != kNoRow && scope.tree->is_operator(node) ? node : kNoRow;
}

OperatorName operator_name(const MemoryScope& scope, Row event) {
  const Row node = operator_of(scope, event);
  if (node == kNoRow) return {};
  const auto name_of = [&](Row of) { return scope.profile->slices.name[scope.tree->slice[of]]; };
  const Row parent = scope.tree->parent[node];
  std::string_view own = scope.profile->text(name_of(node));
  own.remove_prefix(own.find_last_of(':') + 1);  // of "aten::empty_strided", not of "empty_tensor"
  const bool only_empty = own.starts_with("empty");
  return {only_empty && parent != kNoRow ? name_of(parent) : StringId::none, name_of(node)};
}

std::string operator_words(const Profile& profile, const OperatorName& name) {
  const std::string own(profile.text(name.name));
  return name.around == StringId::none ? own : std::string(profile.text(name.around)) + " (" + own + ")";
}

std::int64_t size_of(const MemoryScope& scope, const MemoryBlock& block) {
  return std::abs(scope.profile->memory_events.bytes[block.allocation != kNoRow ? block.allocation : block.release]);
}

}  // namespace sightline::analyses
