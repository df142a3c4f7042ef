// Memory blocks: there can be millions.
#include "analyses/memory/memory_block_table.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/group_index.h"

namespace sightline::analyses {

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
  std::stable_sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
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
                           {"Size of the block.", "bytes of the allocation, or of the release", "the allocator's events"}),
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
