// What the parts of a diff cost in each of the two profiles, and what the operators and kernels inside a part did.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analyses/diff/diff_tree.h"
#include "analyses/group_sums.h"

namespace sightline::analyses {

template <typename Value>
using OnBothSides = std::array<Value, 2>;  // [kBaseline], [kCompared]

struct PartCosts {
  Time time = 0;    // of a step its window, host and device; else the sum of its ranges on the host
  Time device = 0;  // device work caused inside; kUnknown without any in the profile
  std::int64_t ranges = 0;
  Row longest = kNoRow;  // row of slices, the first of equals
};
std::vector<OnBothSides<PartCosts>> part_costs(const DiffTree& tree, const std::vector<DiffPart>& parts);

// By name, in order of first appearance, the baseline's first. What a side does not have is zero there.
struct OperatorPair {
  std::string name;
  OnBothSides<GroupSums> sums{};
  OnBothSides<Row> longest{kNoRow, kNoRow};  // row of slices
};
std::vector<OperatorPair> operator_pairs(const DiffTree& tree, const DiffPart& part);

struct KernelTotals {
  std::int64_t calls = 0;
  Time total = 0;
  Row longest = kNoRow;  // row of slices
};
struct KernelPair {
  std::string name;
  OnBothSides<KernelTotals> totals{};
};
// Kernels (collectives included, copies not) that ranges inside the part launched; in the whole also those that no range did.
std::vector<KernelPair> kernel_pairs(const DiffTree& tree, const DiffPart& part);

}  // namespace sightline::analyses
