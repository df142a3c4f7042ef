// What did the same work in two profiles, by the structure of their host calls: eager code and compiled code, or one program on
// devices of two vendors. Ranges that both have are matched from the outside in; what is between two of them on one side is
// compared with everything between them on the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/diff/diff_sums.h"
#include "analyses/diff/diff_tree.h"

namespace sightline::analyses {

enum class StructureKind : std::uint8_t { same_kernels, other_kernels, replaced, only_baseline, only_compared, no_operator };
std::string_view structure_kind_name(StructureKind kind);

// Operators of the two profiles that correspond, and the device work that they launched themselves. Rows with equal operators and
// shapes are one.
struct StructurePair {
  StructureKind kind = StructureKind::no_operator;
  OnBothSides<std::string> operators;  // their names in order; empty if none
  std::string shapes;                  // of the inputs, of a single operator; empty if unknown or if the two differ
  std::string inside;                  // the innermost range around them that both profiles have; of their longest work
  OnBothSides<std::int64_t> calls{};
  OnBothSides<Time> device{};
  OnBothSides<std::int64_t> works{};         // how much device work
  OnBothSides<std::string> kernels;          // names, the longest in sum first
  OnBothSides<Row> longest{kNoRow, kNoRow};  // row of slices
};

// Each piece of device work of the part is in exactly one pair, so their sums are those of the part.
std::vector<StructurePair> structure_pairs(const DiffTree& tree, const DiffPart& part);

}  // namespace sightline::analyses
