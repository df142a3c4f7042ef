// The inner loop of every scenario: O(nodes + edges), no allocation.
#include "analyses/whatif/replay.h"

#include <algorithm>

#include "analyses/whatif/host_calls.h"

namespace sightline::analyses {

GraphChange unchanged(const DependencyGraph& graph) { return {.length = graph.length, .hidden = {}}; }

Replayer::Replayer(const DependencyGraph& graph, const GraphChange& change) : g_(graph), change_(change), times_(graph.nodes()) {}

void Replayer::advance(Node until) {
  // Bare arrays: a checked access takes twice as long.
  const Edge* const first_edge = g_.first_edge.data();
  const Node* const from = g_.from.data();
  const EdgeKind* const kind = g_.edge_kind.data();
  const Time* const lag = g_.lag.data();
  const Time* const recorded = g_.time.data();
  const Time* const length = change_.length.data();
  const std::uint8_t* const hidden = change_.hidden.empty() ? nullptr : change_.hidden.data();
  Time* const times = times_.data();

  // The earliest time that one edge allows.
  const auto allowed = [&](Node node, Edge edge) {
    const Node before = from[edge];
    const Time begun = times[before];
    if (kind[edge] == EdgeKind::thread) {
      return begun + (edge == first_edge[node] ? length[node] : std::min(length[node], kShortestWait));
    }
    const bool by_start = kind[edge] == EdgeKind::launch || kind[edge] == EdgeKind::order;
    const Time base = by_start || (hidden != nullptr && hidden[before] != 0) ? begun : begun + length[before];
    if (kind[edge] == EdgeKind::launch && change_.ignore_launch_lag) return base + std::min<Time>(lag[edge], 0);
    // Work that started before the one before it had ended still starts after that began.
    if (lag[edge] < 0 && !by_start && recorded[before] <= recorded[node]) return std::max(base + lag[edge], begun);
    return base + lag[edge];
  };

  for (; next_ < until; ++next_) {
    Time latest = kUnknown;
    for (Edge edge = first_edge[next_]; edge < first_edge[next_ + 1]; ++edge) {
      if (change_.ignore_waits && kind[edge] == EdgeKind::finished) continue;
      latest = std::max(latest, allowed(next_, edge));
    }
    times[next_] = latest == kUnknown ? recorded[next_] : latest;
  }
}

namespace {

// Begin and end of a step by its marks and its device work, without its margins.
Interval bare_interval(const DependencyGraph& g, const GraphStep& step, const std::vector<Time>& length,
                       const std::vector<Time>& times) {
  Interval found{kUnknown, kUnknown};
  if (step.begin != kNoNode) found = {times[step.begin], times[step.end]};
  const bool marked = step.begin != kNoNode;
  for (std::uint32_t i = step.first_work; i < step.last_work; ++i) {
    const Node work = g.step_works[i];
    if (!marked && (found.start == kUnknown || times[work] < found.start)) found.start = times[work];
    found.end = std::max(found.end, times[work] + length[work]);
  }
  if (found.start == kUnknown) return step.window;  // nothing is known of it
  return found;
}

}  // namespace

std::vector<Time> replay(const DependencyGraph& graph, const GraphChange& change) {
  Replayer replayer(graph, change);
  replayer.advance(static_cast<Node>(graph.nodes()));
  return replayer.take_times();
}

std::vector<Interval> step_intervals(const DependencyGraph& graph, const GraphChange& change, const std::vector<Time>& times) {
  std::vector<Interval> intervals;
  intervals.reserve(graph.steps.size());
  for (const GraphStep& step : graph.steps) {
    Interval interval = bare_interval(graph, step, change.length, times);
    if (step.chained) interval.start = std::max(interval.start, intervals.back().end);
    interval.start += step.before;
    interval.end = std::max(interval.start, interval.end + step.after);
    intervals.push_back(interval);
  }
  return intervals;
}

void set_margins(DependencyGraph& graph) {
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    GraphStep& step = graph.steps[i];
    Interval bare = bare_interval(graph, step, graph.length, graph.time);
    if (step.chained) bare.start = std::max(bare.start, graph.steps[i - 1].window.end);
    step.before = step.window.start - bare.start;
    step.after = step.window.end - bare.end;
  }
}

}  // namespace sightline::analyses
