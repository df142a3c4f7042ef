// Judging blocks: the part of training that a range belongs to is handed down from parents to children.
#include "analyses/memory/memory_categories.h"

#include <algorithm>

#include "analyses/operators/backward_name.h"

namespace sightline::analyses {

std::string_view category_name(MemoryCategory category) {
  constexpr std::array<std::string_view, kMemoryCategories> kNames{
      "activation", "gradient", "optimizer state", "temporary", "allocated before recording", "unknown"};
  return kNames[static_cast<std::size_t>(category)];
}

std::string category_rules() {
  return "allocated before recording: its allocation was not recorded. temporary: released before the end of the outermost "
         "operator call that allocated it. optimizer state: allocated in an optimizer range, and released outside of one, after "
         "its "
         "step, or never; else temporary. gradient: allocated in the backward pass, and live when an optimizer range begins, "
         "live at the end of its step, or never released; else temporary. activation: allocated elsewhere, and released in the "
         "backward pass; or "
         "allocated in a "
         "module and released after the operator's call. unknown: all else, and all blocks of recordings without addresses. "
         "Ranges of the backward pass are recognised by their names.";
}

MemoryJudge::MemoryJudge(const MemoryScope& scope) : scope_(scope) {
  const HostTree& tree = *scope.tree;
  const Profile& profile = *scope.profile;
  part_.assign(tree.nodes(), Part::none);
  outermost_.assign(tree.nodes(), kNoRow);
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row parent = tree.parent[node];
    const Row slice = tree.slice[node];
    if (parent != kNoRow) {
      part_[node] = part_[parent];
      outermost_[node] = outermost_[parent];
    }
    if (outermost_[node] == kNoRow && tree.is_operator(node)) outermost_[node] = node;
    if (profile.slices.kind[slice] == SliceKind::optimizer ||
        profile.text(profile.slices.name[slice]).starts_with("Optimizer.")) {
      part_[node] = Part::optimizer;
      optimizer_starts_.push_back(profile.slices.start[slice]);
    } else if (tree.operator_row[node] != kNoRow && is_backward(profile.text(profile.slices.name[slice]))) {
      part_[node] = Part::backward;
    } else if (profile.slices.kind[slice] == SliceKind::module && part_[node] == Part::none) {
      part_[node] = Part::forward;
    }
  }
  std::sort(optimizer_starts_.begin(), optimizer_starts_.end());
}

MemoryJudge::Part MemoryJudge::part_of(Row event) const {
  const Row node = event == kNoRow ? kNoRow : scope_.records->node[event];
  return node == kNoRow ? Part::none : part_[node];
}

// Whether it is still there when the recorded step in which it was allocated is over.
bool MemoryJudge::outlives_step(const MemoryBlock& block) const {
  const Steps& steps = scope_.profile->steps;
  const Time from = scope_.profile->memory_events.time[block.allocation];
  if (block.release == kNoRow) return true;
  const auto after = std::upper_bound(steps.start.begin(), steps.start.end(), from);
  if (after == steps.start.begin()) return false;
  const auto step = static_cast<std::size_t>(after - steps.start.begin()) - 1;
  const Time end = steps.start[step] + steps.duration[step];
  return from < end && scope_.profile->memory_events.time[block.release] >= end;
}

// Whether an optimizer range begins while it is there. REQUIRES: both ends were recorded.
bool MemoryJudge::sees_optimizer(const MemoryBlock& block) const {
  const auto& times = scope_.profile->memory_events.time;
  const auto next = std::upper_bound(optimizer_starts_.begin(), optimizer_starts_.end(), times[block.allocation]);
  return next != optimizer_starts_.end() && *next <= times[block.release];
}

bool MemoryJudge::released_in_call(const MemoryBlock& block) const {
  const Row node = scope_.records->node[block.allocation];
  if (block.release == kNoRow || node == kNoRow || outermost_[node] == kNoRow) return false;
  const Row call = scope_.tree->slice[outermost_[node]];
  return scope_.profile->memory_events.time[block.release] < scope_.profile->end_of(call);
}

MemoryCategory MemoryJudge::of(const MemoryBlock& block) const {
  if (!scope_.on().has_addresses) return MemoryCategory::unknown;
  if (block.allocation == kNoRow) return MemoryCategory::before_recording;
  if (released_in_call(block)) return MemoryCategory::temporary;
  switch (part_of(block.allocation)) {
    case Part::optimizer:
      return outlives_step(block) || part_of(block.release) != Part::optimizer ? MemoryCategory::optimizer_state
                                                                               : MemoryCategory::temporary;
    case Part::backward:
      return outlives_step(block) || sees_optimizer(block) ? MemoryCategory::gradient : MemoryCategory::temporary;
    case Part::forward: return block.release == kNoRow ? MemoryCategory::unknown : MemoryCategory::activation;
    case Part::none: break;
  }
  return part_of(block.release) == Part::backward ? MemoryCategory::activation : MemoryCategory::unknown;
}

}  // namespace sightline::analyses
