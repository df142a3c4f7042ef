// The blocks of memory that were allocated or released in a scope: the operators that did it, what each block was most likely
// for, and their table.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/memory/memory_records.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- blocks ----

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

// ---- categories ----
// Derived from the ranges in which a block was allocated and released. A trace does not tell which tensor a block belongs to,
// so rules decide; where they do not apply, the category is unknown.

enum class MemoryCategory : std::uint8_t {
  activation,
  gradient,
  optimizer_state,
  temporary,
  before_recording,
  unknown,
  parameter,
  communication,
  input,
};
inline constexpr std::size_t kMemoryCategories = 9;

std::string_view category_name(MemoryCategory category);

// The rules, one sentence each, in the order in which they are tried.
std::string category_rules();

// Judges blocks of one scope.
class MemoryJudge {
 public:
  explicit MemoryJudge(const MemoryScope& scope);
  MemoryCategory of(const MemoryBlock& block) const;

 private:
  enum class Part : std::uint8_t { none, forward, backward, optimizer, parameters, communication, input };

  Part part_of(Row event) const;
  Part part_of_stack(Row event) const;
  void find_parts_of_stacks();
  bool outlives_step(const MemoryBlock& block) const;
  bool sees_optimizer(const MemoryBlock& block) const;
  bool released_in_call(const MemoryBlock& block) const;

  const MemoryScope& scope_;
  std::vector<Part> part_;           // by node: of the innermost range that determines it
  std::vector<Part> part_of_stack_;  // by row of stacks
  std::vector<Time> optimizer_starts_;
  std::vector<Row> outermost_;  // by node: the outermost operator around it, or itself; kNoRow
};

// ---- the table: one row per block; there can be millions ----

ReportTable blank_block_table();

// Largest first.
ReportTable block_table(const MemoryScope& scope, std::vector<MemoryBlock> blocks, const MemoryJudge& judge);

}  // namespace sightline::analyses
