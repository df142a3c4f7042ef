// What caused idle time: the range, operator and line of source of each part of a gap. All steps are explained once for a
// profile; a step, a device or a shortest length selects from that.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyses/idle/idle_causes.h"

namespace sightline::analyses {

struct Culprit {
  IdleCause cause;
  StringId name = StringId::none;           // of the call, range or work
  StringId operator_name = StringId::none;  // the innermost operator around it
  std::string_view place{};                 // the line of source, by kind_of_frame: a text of the profile
};

struct ExplainedIdle {
  IdleTimes times;
  std::shared_ptr<const std::vector<Culprit>> culprits;
  std::vector<std::uint32_t> culprit;  // by part: number in `culprits`

  friend std::int64_t held_bytes(const ExplainedIdle& idle);
};

// Of the steps that means are over (StepWindows::kept), and all devices: found once for a profile (derived_data.h).
std::shared_ptr<const ExplainedIdle> explained_idle(const ProfilePtr& profile);

// Of any windows of time.
ExplainedIdle explain_idle(const ProfilePtr& profile, const IntervalSet& windows);

struct IdleChoice {
  std::optional<IntervalSet> windows;  // cuts gaps to these; a gap that extends over the border of two is two
  std::optional<std::int64_t> device;
  Time least = 0;  // shorter gaps are left out
};

// A gap, and its parts with their culprits. IdlePart::gap is that of the uncut gap.
struct ExplainedGap {
  IdleGap gap;
  std::span<const IdlePart> parts;
  std::span<const std::uint32_t> culprits;
};

// Calls visit(ExplainedGap) for each chosen gap; what it views is valid during the call. Copies nothing but the parts of cut
// gaps.
void each_gap(const ExplainedIdle& idle, const IdleChoice& choice, const std::function<void(const ExplainedGap&)>& visit);

}  // namespace sightline::analyses
