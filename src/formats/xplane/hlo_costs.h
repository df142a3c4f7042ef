// Costs: floating-point operations and bytes of the instructions of a program, where they follow from shapes by a formula that
// holds for every implementation. docs/formats/xplane.md, "Costs".
#pragma once

#include <unordered_map>

#include "formats/xplane/hlo_module.h"

namespace sightline::formats::xplane {

struct HloCost {
  double flops, bytes;  // NaN: not known
};

class HloCosts {
 public:
  explicit HloCosts(const HloModule& module);
  HloCost of(const HloInstruction& instruction);

 private:
  // Of a computation that is fused into an instruction.
  struct Inside {
    double flops;
    bool touches_parts;
  };

  double flops(const HloInstruction& instruction, int depth);
  double bytes(const HloInstruction& instruction);
  const Inside& inside(std::int64_t computation, int depth);
  double dot_flops(const HloInstruction& instruction, const std::vector<std::int64_t>& contracted) const;
  double convolution_flops(const HloInstruction& instruction) const;
  bool touches_parts(const HloInstruction& instruction, int depth);
  const HloInstruction* operand(const HloInstruction& instruction, std::size_t index) const;

  std::unordered_map<std::int64_t, const HloInstruction*> instructions_;
  std::unordered_map<std::int64_t, const HloComputation*> computations_;
  std::unordered_map<std::int64_t, Inside> inside_;  // each is looked into once
};

}  // namespace sightline::formats::xplane
