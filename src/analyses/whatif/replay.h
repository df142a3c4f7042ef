// Replays a dependency graph with changes: one pass over the nodes in their order. Without a change, each time is the recorded
// one, because recorded latencies are kept: this checks the graph's bookkeeping, not how well a prediction agrees with a run.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analyses/whatif/dependency_graph.h"

namespace sightline::analyses {

// What differs from the recording.
struct GraphChange {
  std::vector<Time> length;          // by node, for DependencyGraph::length
  std::vector<std::uint8_t> hidden;  // by node, or empty: nothing but its step waits for the end of this device work
  bool ignore_waits = false;         // the host waits for no device work
  bool ignore_launch_lag = false;    // device work may start as soon as it is launched
};

// No difference.
GraphChange unchanged(const DependencyGraph& graph);

// A replay node by node. The graph and the change outlive it. A length may still change until a node that depends on it is
// replayed.
class Replayer {
 public:
  Replayer(const DependencyGraph& graph, const GraphChange& change);

  // Replays the nodes before `until`; those before are kept.
  void advance(Node until);

  // The new times; valid for the nodes that were replayed.
  const std::vector<Time>& times() const { return times_; }
  std::vector<Time> take_times() { return std::move(times_); }

 private:
  const DependencyGraph& g_;
  const GraphChange& change_;
  std::vector<Time> times_;
  Node next_ = 0;
};

// The new time of each node.
std::vector<Time> replay(const DependencyGraph& graph, const GraphChange& change);

// From when to when each step lasts, by new times.
std::vector<Interval> step_intervals(const DependencyGraph& graph, const GraphChange& change, const std::vector<Time>& times);

// Sets GraphStep::before and after, so that step_intervals() gives the recorded windows for the recorded times.
void set_margins(DependencyGraph& graph);

}  // namespace sightline::analyses
