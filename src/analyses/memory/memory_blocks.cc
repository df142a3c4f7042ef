// Allocations and releases as blocks, their categories, and their table.
#include "analyses/memory/memory_blocks.h"

#include <algorithm>
#include <cstdlib>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/operators/host_tree.h"
#include "base/sort.h"

namespace sightline::analyses {

// ---- blocks ----

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

// ---- categories ----
// Parents pass the part of training that they belong to on to their children.

std::string_view category_name(MemoryCategory category) {
  constexpr std::array<std::string_view, kMemoryCategories> kNames{
      "activation", "gradient",  "optimizer state", "temporary", "allocated before recording",
      "unknown",    "parameter", "communication",   "input"};
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
         "Ranges of the backward pass are recognised by their names. Where allocations have stacks, frames take the place of "
         "ranges; "
         "then all else of the forward pass is activation, and parameter, communication and input are what was allocated while "
         "modules are set up, in collectives, and while data is loaded.";
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
  find_parts_of_stacks();
  std::sort(optimizer_starts_.begin(), optimizer_starts_.end());
}

// The optimizer begins at its first event after events of other parts.
void MemoryJudge::find_parts_of_stacks() {
  const Profile& profile = *scope_.profile;
  constexpr std::array<std::pair<std::string_view, Part>, 6> kParts{{{"forward", Part::forward},
                                                                     {"backward", Part::backward},
                                                                     {"optimizer", Part::optimizer},
                                                                     {"parameters", Part::parameters},
                                                                     {"communication", Part::communication},
                                                                     {"input", Part::input}}};
  part_of_stack_.assign(profile.stacks.rows(), Part::none);
  for (const auto& [name, part] : kParts) {
    const StringId id = profile.strings.find(name);
    for (Row stack = 0; stack < part_of_stack_.size() && id != StringId::none; ++stack) {
      if (profile.stacks.part[stack] == id) part_of_stack_[stack] = part;
    }
  }
  Part before = Part::none;
  for (const Row event : scope_.events) {
    const Part part = part_of_stack(event);
    if (part == Part::optimizer && before != Part::optimizer) optimizer_starts_.push_back(profile.memory_events.time[event]);
    if (part != Part::none) before = part;
  }
}

MemoryJudge::Part MemoryJudge::part_of_stack(Row event) const {
  const Row stack = event == kNoRow ? kNoRow : scope_.profile->memory_events.stack[event];
  return stack == kNoRow ? Part::none : part_of_stack_[stack];
}

MemoryJudge::Part MemoryJudge::part_of(Row event) const {
  if (const Part part = part_of_stack(event); part != Part::none) return part;
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
    case Part::forward:
      return block.release == kNoRow && part_of_stack(block.allocation) == Part::none ? MemoryCategory::unknown
                                                                                      : MemoryCategory::activation;
    case Part::parameters: return MemoryCategory::parameter;
    case Part::communication: return MemoryCategory::communication;
    case Part::input: return MemoryCategory::input;
    case Part::none: break;
  }
  return part_of(block.release) == Part::backward ? MemoryCategory::activation : MemoryCategory::unknown;
}

// ---- the table: one row per block; there can be millions ----

namespace {

Cells operators_of(const MemoryScope& scope, std::span<const MemoryBlock> blocks) {
  GroupIndex<2> names;
  WordCells cells;
  cells.word.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) {
    const OperatorName name = operator_name(scope, block.allocation);
    if (name.name == StringId::none) {
      cells.word.push_back(WordCells::kNone);
      continue;
    }
    cells.word.push_back(names.number_of({static_cast<std::uint32_t>(name.around), static_cast<std::uint32_t>(name.name)}));
    if (names.size() > cells.words.size()) cells.words.push_back(operator_words(*scope.profile, name));
  }
  return Cells(std::move(cells));
}

Cells categories_of(std::span<const MemoryBlock> blocks, const MemoryJudge& judge) {
  WordCells cells;
  for (std::size_t i = 0; i < kMemoryCategories; ++i) cells.words.emplace_back(category_name(static_cast<MemoryCategory>(i)));
  cells.word.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) cells.word.push_back(static_cast<std::uint32_t>(judge.of(block)));
  return Cells(std::move(cells));
}

void sort_by_size(const MemoryScope& scope, std::vector<MemoryBlock>& blocks) {
  std::vector<std::pair<std::int64_t, MemoryBlock>> sized;
  sized.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) sized.emplace_back(size_of(scope, block), block);
  sort_down(sized, [](const auto& each) { return each.first; });
  for (std::size_t i = 0; i < sized.size(); ++i) blocks[i] = sized[i].second;
}

Time time_of(const MemoryScope& scope, Row event) {
  return event == kNoRow ? kUnknown : scope.profile->memory_events.time[event];
}

Row call_of(const MemoryScope& scope, const MemoryBlock& block) {
  const Row node = operator_of(scope, block.allocation);
  return node == kNoRow ? kNoRow : scope.tree->slice[node];
}

TableOf<MemoryBlock, MemoryScope, MemoryJudge> blocks_table() {
  TableOf<MemoryBlock, MemoryScope, MemoryJudge> table(
      {.key = "events",
       .title = "Memory events",
       .sort_column = "size",
       .row_links = {{"In the timeline", "timeline", {{"slice", "$slice"}}, "has_call"}},
       .marks = RowMarks{"curve", {"allocated_at", "released_at"}}});
  const std::string no_operator = "allocated before the recording, or outside of all operators";
  table.add_whole(
      label_column("operator", "Operator",
                   "The operator that allocated it; if this operator only makes empty tensors, the range around it comes first")
          .with_unknown(no_operator),
      [](const MemoryScope& scope, const MemoryJudge&, std::span<const MemoryBlock> blocks) {
        return operators_of(scope, blocks);
      });
  table.add(integer_column("size", "Size", Unit::bytes,
                           {"Size of the block.", "bytes of the allocation, or of the release", "the allocator's events"})
                .with_sums(),
            [](const MemoryScope& scope, const MemoryJudge&, const MemoryBlock& block) { return size_of(scope, block); });
  table.add(
      integer_column("allocated_at", "Allocated at", Unit::ns,
                     {"When it was allocated, since the run's origin.", "time of the allocation", "the allocator's events"})
          .with_unknown("allocated before the recording"),
      [](const MemoryScope& scope, const MemoryJudge&, const MemoryBlock& block) { return time_of(scope, block.allocation); });
  table.add(integer_column("released_at", "Released at", Unit::ns,
                           {"When it was released, since the run's origin; the allocator may keep it for reuse.",
                            "time of the next release of its address on its device", "the allocator's events",
                            "The TensorBoard plugin matches addresses across devices, and shows no end outside of the selected "
                            "range."})
                .with_unknown("not released in the recording, or recorded without addresses"),
            [](const MemoryScope& scope, const MemoryJudge&, const MemoryBlock& block) { return time_of(scope, block.release); });
  table.add(integer_column("duration", "Lifetime", Unit::ns,
                           {"How long it was allocated.", "released at - allocated at", "the allocator's events"})
                .with_unknown("one of its ends was not recorded"),
            [](const MemoryScope& scope, const MemoryJudge&, const MemoryBlock& block) {
              const bool whole = block.allocation != kNoRow && block.release != kNoRow;
              return whole ? time_of(scope, block.release) - time_of(scope, block.allocation) : kUnknown;
            });
  table.add_whole(
      words_column("category", "Category", "What the block was most likely used for; the table by category gives the rules"),
      [](const MemoryScope&, const MemoryJudge& judge, std::span<const MemoryBlock> blocks) {
        return categories_of(blocks, judge);
      });
  table.add(integer_column("slice", "Call", Unit::id, {"Row of the operator's call that allocated it", "", ""})
                .with_unknown(no_operator)
                .hide(),
            [](const MemoryScope& scope, const MemoryJudge&, const MemoryBlock& block) { return call_of(scope, block); });
  table.add(
      flag_column("has_call", "Has a call", {"Whether that call is known", "", ""}).hide(),
      [](const MemoryScope& scope, const MemoryJudge&, const MemoryBlock& block) { return call_of(scope, block) != kNoRow; });
  return table;
}

}  // namespace

ReportTable blank_block_table() { return blocks_table().blank(); }

ReportTable block_table(const MemoryScope& scope, std::vector<MemoryBlock> blocks, const MemoryJudge& judge) {
  sort_by_size(scope, blocks);
  return blocks_table().of(scope, judge, blocks);
}

}  // namespace sightline::analyses
