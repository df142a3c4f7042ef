// One pass over the blocks per column: there can be millions.
#include "analyses/memory/memory_block_table.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/group_index.h"

namespace sightline {

namespace {

using Blocks = std::vector<MemoryBlock>;

Cells operators_of(const MemoryScope& scope, const Blocks& blocks) {
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

Cells categories_of(const Blocks& blocks, const MemoryJudge& judge) {
  WordCells cells;
  for (std::size_t i = 0; i < kMemoryCategories; ++i) cells.words.emplace_back(category_name(static_cast<MemoryCategory>(i)));
  cells.word.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) cells.word.push_back(static_cast<std::uint32_t>(judge.of(block)));
  return Cells(std::move(cells));
}

template <typename Value>
Cells integers_of(const Blocks& blocks, Value value) {
  Cells::Integers cells;
  cells.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) cells.push_back(value(block));
  return Cells(std::move(cells));
}

void sort_by_size(const MemoryScope& scope, Blocks& blocks) {
  std::vector<std::pair<std::int64_t, MemoryBlock>> sized;
  sized.reserve(blocks.size());
  for (const MemoryBlock& block : blocks) sized.emplace_back(size_of(scope, block), block);
  std::stable_sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < sized.size(); ++i) blocks[i] = sized[i].second;
}

}  // namespace

ReportTable blank_block_table() {
  ReportTable table{.key = "events", .title = "Memory events"};
  table.columns = {
      label_column("operator", "Operator",
                   "The operator that allocated it; if that only makes empty tensors, the range around it comes first"),
      integer_column("size", "Size", Unit::bytes,
                     {"Size of the block.", "bytes of the allocation, or of the release", "the allocator's events"}),
      integer_column("allocated_at", "Allocated at", Unit::ns,
                     {"When it was allocated, since the run's origin.", "time of the allocation", "the allocator's events"}),
      integer_column(
          "released_at", "Released at", Unit::ns,
          {"When it was released, since the run's origin; the allocator may keep it for reuse.",
           "time of the next release of its address on its device", "the allocator's events",
           "The TensorBoard plugin matches addresses across devices, and shows no end outside of the selected range."}),
      integer_column("duration", "Lifetime", Unit::ns,
                     {"How long it was allocated.", "released at - allocated at", "the allocator's events"}),
      words_column("category", "Category", "What the block was most likely used for; the table by category gives the rules"),
      integer_column("slice", "Call", Unit::id, {"Row of the operator's call that allocated it", "", ""}),
      flag_column("has_call", "Has a call", {"Whether that call is known", "", ""})};
  table.columns[0].unknown = "allocated before the recording, or outside of all operators";
  table.columns[2].unknown = "allocated before the recording";
  table.columns[3].unknown = "not released in the recording, or recorded without addresses";
  table.columns[4].unknown = "one of its ends was not recorded";
  table.columns[6].unknown = table.columns[0].unknown;
  table.columns[6].hidden = table.columns[7].hidden = true;
  table.sort_column = "size";
  table.row_links.push_back({"In the timeline", "timeline", {{"slice", "$slice"}}, "has_call"});
  table.marks = RowMarks{"curve", {"allocated_at", "released_at"}};
  return table;
}

ReportTable block_table(const MemoryScope& scope, Blocks blocks, const MemoryJudge& judge) {
  const auto& times = scope.profile->memory_events.time;
  const auto time_of = [&](Row event) { return event == kNoRow ? kUnknown : times[event]; };
  sort_by_size(scope, blocks);
  ReportTable table = blank_block_table();
  table.columns[0].values = operators_of(scope, blocks);
  table.columns[1].values = integers_of(blocks, [&](const MemoryBlock& block) { return size_of(scope, block); });
  table.columns[2].values = integers_of(blocks, [&](const MemoryBlock& block) { return time_of(block.allocation); });
  table.columns[3].values = integers_of(blocks, [&](const MemoryBlock& block) { return time_of(block.release); });
  table.columns[4].values = integers_of(blocks, [&](const MemoryBlock& block) {
    const bool whole = block.allocation != kNoRow && block.release != kNoRow;
    return whole ? times[block.release] - times[block.allocation] : kUnknown;
  });
  table.columns[5].values = categories_of(blocks, judge);
  Cells::Flags has_call;
  table.columns[6].values = integers_of(blocks, [&](const MemoryBlock& block) {
    const Row node = operator_of(scope, block.allocation);
    has_call.push_back(node != kNoRow);
    return node == kNoRow ? kUnknown : std::int64_t{scope.tree->slice[node]};
  });
  table.columns[7].values = Cells(std::move(has_call));
  return table;
}

}  // namespace sightline
