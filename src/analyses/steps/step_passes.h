// The passes of training: which device work belongs to the forward pass, to the backward pass, to the recomputation of
// activations inside it, to the optimizer, and to communication; and how much of what the device could compute in its steps it
// used.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "analyses/costs/cost_sums.h"
#include "model/profile.h"

namespace sightline::analyses {

enum class Pass : std::uint8_t { forward, backward, recomputation, optimizer, communication, other };
inline constexpr std::size_t kPasses = 6;

std::string_view pass_key(Pass pass);
std::string_view pass_title(Pass pass);
// What belongs to it, in one sentence.
std::string_view pass_doc(Pass pass);

// By row of device_work. Collectives are communication. All else belongs to the pass of the range that caused it: of an
// optimizer, or of the backward pass inside the evaluation of an autograd node. A module, a forward operator or the code of
// activation checkpoints that runs inside such an evaluation is recomputation. Work that no range caused is `other`.
std::vector<Pass> passes_of_work(const Profile& profile);

struct PassSums {
  std::int64_t work = 0;  // pieces of device work
  Time time = 0;          // sum of their durations
  CostSums costs{};       // of the calls of which it is the longest work
};

// Over the kept steps.
struct StepPasses {
  std::array<PassSums, kPasses> sums{};
  std::int64_t steps = 0;
  Time step_time = 0;        // sum of the steps' lengths
  std::int64_t devices = 0;  // that computed

  const PassSums& of(Pass pass) const { return sums[static_cast<std::size_t>(pass)]; }
  Time time() const;  // of all passes
  bool has_backward() const { return of(Pass::backward).work > 0; }
  // Share of the steps' time that the products would take at the peaks: with and without what is computed again. NaN: unknown.
  double model_utilization() const;
  double hardware_utilization() const;
};

// Computed once per profile.
std::shared_ptr<const StepPasses> step_passes(const ProfilePtr& profile);

}  // namespace sightline::analyses
