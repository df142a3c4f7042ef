// The dependency graph of a recording: what each call of the host and each piece of device work waited for, from the generic
// tables alone. It is built once per profile. Replaying it unchanged gives every recorded time (replay.h).
//
// Nodes
//   call   the host begins a call that launches device work or waits for it
//   wait   such a waiting call ends
//   mark   a step begins or ends on the host
//   work   device work; the node's time is its start, and its end is `time + length`
// Edges lead from a node to what depends on it:
//   thread        the node before it on the same host thread. Threads that hand work to each other (the forward and the
//                 backward pass) are one chain. All other host code is the gap between two nodes.
//   launch        device work starts after the call that launched it began
//   stream        ... after the work before it on its stream ended; `order`: ... began, because they overlap
//   event         ... after the work that an event of another stream waited for ended, as the file states or the times show
//   flow          ... after the work that the file itself names (semaphores, nodes of a graph) ended
//   finished      a wait ends after device work ended
// A node's time is the latest time that any of its edges allows (replay.cc).
//
// Walking the binding chain (critical path, causes of idle time): the first edge of a node is the binding one, which allowed the
// latest time in the recording. From a node `n` go to `from[*graph.binding(n)]`; the time between is `time[n] - base(edge)`.
// A node without an edge is where the recording does not say what it waited for.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analyses/derived_data.h"
#include "analyses/steps/step_windows.h"
#include "model/profile.h"

namespace sightline::analyses {

using Node = std::uint32_t;
using Edge = std::uint32_t;
inline constexpr Node kNoNode = 0xFFFFFFFF;

enum class NodeKind : std::uint8_t { call, wait, mark, work };
enum class EdgeKind : std::uint8_t { thread, launch, stream, order, event, flow, finished };
inline constexpr std::size_t kEdgeKinds = 7;

// A step of `step_windows`. Its begin and end follow from its marks and its device work.
struct GraphStep {
  std::int64_t number = 0;
  Interval window;
  bool chained = false;                         // it begins no earlier than the step before it ends
  Node begin = kNoNode, end = kNoNode;          // marks; none: a device recorded the step
  std::uint32_t first_work = 0, last_work = 0;  // range of DependencyGraph::step_works
  Time before = 0, after = 0;                   // of the window, what lies before its begin and after its end
};

// Columns by node, in an order in which each node comes after all that it depends on.
struct DependencyGraph {
  std::vector<Row> slice;  // row of slices; kNoRow: a mark of steps that no slice represents
  std::vector<NodeKind> kind;
  std::vector<Time> time;    // as recorded
  std::vector<Time> length;  // of work: how long it ran; on the host: time since the node before it on its chain

  std::vector<Edge> first_edge;  // by node, and one past the last edge; the first edge of a node is the binding one
  std::vector<Node> from;        // by edge
  std::vector<EdgeKind> edge_kind;
  // The least time from base(edge) on: as recorded for the binding edge. What other edges would need is not recorded, so they
  // need no more than binding edges of their kind usually do. It is kept because each replay reads it.
  std::vector<Time> lag;

  StepSource source = StepSource::recorded;
  std::vector<GraphStep> steps;    // kept ones
  std::vector<Node> step_works;    // device work by step
  std::vector<Row> chain_of_lane;  // by lane of a host thread: the first lane of its chain

  std::int64_t waits = 0;             // calls that waited for device work
  std::int64_t unrecorded_waits = 0;  // calls that waited for something that is not recorded: they keep their length
  std::int64_t unstated_waits = 0;    // of streams for other streams, as their times show: the file does not state them
  std::int64_t dropped_edges = 0;     // dependencies that contradict the order of the recorded times

  std::size_t nodes() const { return kind.size(); }
  Time end_of(Node node) const { return kind[node] == NodeKind::work ? time[node] + length[node] : time[node]; }
  std::optional<Edge> binding(Node node) const {
    if (first_edge[node] == first_edge[node + 1]) return std::nullopt;
    return first_edge[node];
  }
  // When an edge's dependency was met in the recording.
  Time base(Edge edge) const { return edge_kind[edge] == EdgeKind::order ? time[from[edge]] : end_of(from[edge]); }
};

std::int64_t held_bytes(const DependencyGraph& graph);

DependencyGraph build_dependency_graph(const Profile& profile);

// Once per profile. Thread-safe.
std::shared_ptr<const DependencyGraph> dependency_graph(const ProfilePtr& profile);

}  // namespace sightline::analyses
