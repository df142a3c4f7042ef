// Allocations and releases as blocks.
#include "analyses/memory_blocks.h"

#include <algorithm>
#include <cstdlib>

#include "analyses/columns.h"

namespace sightline {

namespace {

std::int64_t bytes_of(const MemoryEvents& events, const MemoryBlock& block) {
  return std::abs(events.bytes[block.allocation != kNoRow ? block.allocation : block.release]);
}

// The row of slices of the operator call that allocated; kNoRow when it is not known.
Row call_of(const MemoryScope& scope, const MemoryBlock& block) {
  if (block.allocation == kNoRow) return kNoRow;
  const Row node = scope.records->node[block.allocation];
  return node != kNoRow && scope.tree->is_operator(node) ? scope.tree->slice[node] : kNoRow;
}

}  // namespace

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

std::string operator_words(const MemoryScope& scope, Row event) {
  const Row node = event == kNoRow ? kNoRow : scope.records->node[event];
  if (node == kNoRow || !scope.tree->is_operator(node)) return "";
  const auto name_of = [&](Row of) { return scope.profile->text(scope.profile->slices.name[scope.tree->slice[of]]); };
  const std::string name(name_of(node));
  const Row parent = scope.tree->parent[node];
  if (parent == kNoRow || !name.starts_with("aten::empty")) return name;  // vendor: the framework's own allocating operators
  return std::string(name_of(parent)) + " (" + name + ")";
}

ReportTable blank_memory_blocks() {
  ReportTable table{.key = "events", .title = "Memory events"};
  table.columns = {
      label_column("operator", "Operator",
                   "The operator that allocated it; for one that only makes empty tensors, the range around it first"),
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
      integer_column("slice", "Call", Unit::id, {"Row of the operator's call that allocated it", "", ""}),
      flag_column("has_call", "Has a call", {"Whether that call is known", "", ""})};
  table.columns[0].unknown = "allocated before the recording, or outside of all operators";
  table.columns[2].unknown = "allocated before the recording";
  table.columns[3].unknown = "not released in the recording, or recorded without addresses";
  table.columns[4].unknown = "one of its ends was not recorded";
  table.columns[5].unknown = table.columns[0].unknown;
  table.columns[5].hidden = table.columns[6].hidden = true;
  table.sort_column = "size";
  table.row_links.push_back({"In the timeline", "timeline", {{"slice", "$slice"}}, "has_call"});
  table.marks = RowMarks{"curve", {"allocated_at", "released_at"}};
  return table;
}

ReportTable memory_blocks_table(const MemoryScope& scope) {
  const MemoryEvents& events = scope.profile->memory_events;
  std::vector<MemoryBlock> blocks = memory_blocks(scope);
  std::stable_sort(blocks.begin(), blocks.end(),
                   [&](const MemoryBlock& a, const MemoryBlock& b) { return bytes_of(events, a) > bytes_of(events, b); });
  ReportTable table = blank_memory_blocks();
  for (const MemoryBlock& block : blocks) {
    const Row call = call_of(scope, block);
    const Time from = block.allocation == kNoRow ? kUnknown : events.time[block.allocation];
    const Time to = block.release == kNoRow ? kUnknown : events.time[block.release];
    table.add_row({cell(operator_words(scope, block.allocation)), Cell{bytes_of(events, block)}, cell(from), cell(to),
                   from == kUnknown || to == kUnknown ? Cell{} : Cell{to - from},
                   call == kNoRow ? Cell{} : Cell{static_cast<std::int64_t>(call)}, Cell{call != kNoRow}});
  }
  return table;
}

}  // namespace sightline
