// Flows from slice to slice in a window, reduced to those that a screen can distinguish.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timeline/timeline.h"

namespace sightline::timeline {

inline constexpr std::size_t kFlowKinds = 3;

struct Flow {
  FlowKind kind = FlowKind::other;
  Row from = 0;  // rows of slices; the flow leads from start to start
  Row to = 0;
  friend bool operator==(const Flow&, const Flow&) = default;
};

struct FlowRequest {
  std::vector<std::uint32_t> lanes;  // numbers of drawn lanes
  Window window;
  std::array<bool, kFlowKinds> kinds{true, true, true};  // by FlowKind
};

struct FlowsInWindow {
  std::uint64_t count = 0;  // with an end (a start of a slice) in the window and both ends in the lanes
  std::vector<Flow> shown;  // one of all flows of a kind, between the same two lanes, with both ends in the same pixels
};

// Pixels are [k * pixel, (k + 1) * pixel). Time: of the flows with an end in the window. REQUIRES: the lanes exist.
FlowsInWindow flows_in(const Timeline& timeline, const FlowRequest& request);

}  // namespace sightline::timeline
