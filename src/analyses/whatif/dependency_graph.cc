// Nodes are sorted by recorded time; an edge that would lead backwards in this order is dropped, so there is no cycle.
#include "analyses/whatif/dependency_graph.h"

#include <algorithm>
#include <numeric>

#include "analyses/devices/device_activity.h"
#include "analyses/operators/host_tree.h"
#include "analyses/whatif/host_calls.h"
#include "analyses/whatif/replay.h"
#include "analyses/whatif/work_links.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr int kLookBack = 64;  // device work of a stream that overlaps a wait's end: more is not searched

// A node before its place in the order is known.
struct Entry {
  Time time;  // that it is sorted by
  NodeKind kind;
  Row row;  // call, wait: of HostCalls; work: of device_work; mark: of marks_
};

struct Mark {
  Time time;
  Row chain;
  Row slice;
  std::size_t step;
  bool begins;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(const Profile& profile) : p_(profile), calls_(profile), steps_(step_windows(profile)) {}

  DependencyGraph build() {
    g_.chain_of_lane = joined_threads(p_);
    add_marks();
    add_entries();
    connect();
    find_lags();
    add_steps();
    return std::move(g_);
  }

 private:
  // ---- nodes ----

  Row chain_of(Row slice) const { return g_.chain_of_lane[p_.slices.lane[slice]]; }

  // Where steps without a slice are marked: the chain with most calls.
  Row main_chain() const {
    std::vector<std::size_t> count(p_.lanes.rows(), 0);
    for (const HostCall& call : calls_.all()) ++count[chain_of(call.slice)];
    if (calls_.all().empty()) {
      for (const Row slice : p_.operators.slice) ++count[chain_of(slice)];
    }
    const auto most = std::max_element(count.begin(), count.end());
    return most == count.end() || *most == 0 ? kNoRow : static_cast<Row>(most - count.begin());
  }

  // The last end of the host's work on a chain, which ends a step that nothing marks.
  Time end_on(Row chain, Interval window) const {
    Time end = window.start;
    const auto take = [&](Row slice) {
      if (chain_of(slice) == chain) end = std::max(end, std::min(p_.end_of(slice), window.end));
    };
    for (const Row slice : p_.operators.slice) take(slice);
    for (const HostCall& call : calls_.all()) take(call.slice);
    return end;
  }

  void add_marks() {
    g_.source = steps_.source;
    const bool recorded = steps_.source == StepSource::recorded;
    const Row main = main_chain();
    Row step_row = 0;
    for (std::size_t i = 0; i < steps_.kept.size(); ++i) {
      const StepWindow& step = steps_.kept[i];
      Row slice = kNoRow, chain = main;
      if (recorded) {
        while (p_.steps.start[step_row] != step.host.start || p_.steps.number[step_row] != step.number) ++step_row;
        slice = p_.steps.slice[step_row];
        if (slice != kNoRow && p_.lanes.kind[p_.slices.lane[slice]] != LaneKind::host_thread) return;  // a device's steps
        if (slice != kNoRow) chain = chain_of(slice);
      }
      if (chain == kNoRow) return;
      const Interval host = recorded ? step.host : Interval{step.window.start, end_on(chain, step.window)};
      marks_.push_back({host.start, chain, slice, i, true});
      marks_.push_back({host.end, chain, slice, i, false});
    }
  }

  // Sorted by time. At equal times steps begin first, calls are in the order of their nesting, and device work follows the
  // calls that launched it.
  void add_entries() {
    const auto& works = work_by_start(p_);
    std::vector<Entry> entries;
    entries.reserve(works.size() + 2 * calls_.all().size() + marks_.size());
    const auto add_marks_of = [&](bool begins) {
      for (Row mark = 0; mark < marks_.size(); ++mark) {
        if (marks_[mark].begins == begins) entries.push_back({marks_[mark].time, NodeKind::mark, mark});
      }
    };
    add_marks_of(true);
    calls_.each_border([&](Row call, bool begins) {
      const Row slice = calls_.all()[call].slice;
      entries.push_back({begins ? p_.slices.start[slice] : p_.end_of(slice), begins ? NodeKind::call : NodeKind::wait, call});
    });
    add_marks_of(false);
    for (const WorkInterval& work : works) {
      const Row call = calls_.of_launch(p_.device_work.launch[work.work]);
      const Time launched = call == kNoRow ? work.start : p_.slices.start[calls_.all()[call].slice];
      entries.push_back({std::max(work.start, launched), NodeKind::work, work.work});
    }
    sort_up(entries, &Entry::time);
    entries_ = std::move(entries);
  }

  // ---- edges ----

  void connect() {
    const std::size_t count = entries_.size();
    g_.slice.reserve(count);
    g_.kind.reserve(count);
    g_.time.reserve(count);
    g_.length.reserve(count);
    g_.first_edge.reserve(count + 1);
    g_.from.reserve(count + p_.device_work.rows());
    g_.edge_kind.reserve(count + p_.device_work.rows());
    node_of_call_.assign(calls_.all().size(), kNoNode);
    node_of_work_.assign(p_.device_work.rows(), kNoNode);
    node_of_mark_.assign(marks_.size(), kNoNode);
    last_on_chain_.assign(p_.lanes.rows(), kNoNode);
    on_stream_.resize(p_.lanes.rows());
    const WorkLinks links(p_);
    for (const Entry& entry : entries_) {
      g_.first_edge.push_back(static_cast<Edge>(g_.from.size()));
      switch (entry.kind) {
        case NodeKind::mark: add_mark(entry.row); break;
        case NodeKind::call: node_of_call_[entry.row] = add_call(NodeKind::call, entry); break;
        case NodeKind::wait: add_call(NodeKind::wait, entry), add_wait_edges(entry.row); break;
        case NodeKind::work: add_work(entry.row, links); break;
      }
      put_binding_first(static_cast<Node>(g_.nodes() - 1));
    }
    g_.first_edge.push_back(static_cast<Edge>(g_.from.size()));
    entries_ = {};
  }

  Node add_node(NodeKind kind, Row slice, Time time, Time length) {
    g_.kind.push_back(kind);
    g_.slice.push_back(slice);
    g_.time.push_back(time);
    g_.length.push_back(length);
    return static_cast<Node>(g_.nodes() - 1);
  }

  Node add_host_node(NodeKind kind, Row slice, Time time, Row chain) {
    Node& last = last_on_chain_[chain];
    const Node node = add_node(kind, slice, time, last == kNoNode ? 0 : time - g_.time[last]);
    if (last != kNoNode) add_edge(last, EdgeKind::thread);
    return last = node;
  }

  void add_mark(Row row) {
    const Mark& mark = marks_[row];
    node_of_mark_[row] = add_host_node(NodeKind::mark, mark.slice, mark.time, mark.chain);
  }

  Node add_call(NodeKind kind, const Entry& entry) {
    const Row slice = calls_.all()[entry.row].slice;
    return add_host_node(kind, slice, entry.time, chain_of(slice));
  }

  void add_edge(Node from, EdgeKind kind) {
    g_.from.push_back(from);
    g_.edge_kind.push_back(kind);
  }

  // To the node that is added now; a node that comes later in the order cannot be waited for.
  void add_edge_if_earlier(Node from, EdgeKind kind) {
    if (from == kNoNode) {
      ++g_.dropped_edges;
    } else {
      add_edge(from, kind);
    }
  }

  // The device work that a waiting call waited for ended last before the call did.
  void add_wait_edges(Row call) {
    const HostCall& of = calls_.all()[call];
    const Interval time{p_.slices.start[of.slice], p_.end_of(of.slice)};
    const Node work = of.own_copy == kNoRow ? last_ended(time.end) : node_of_work_[of.own_copy];
    const Time ended = work == kNoNode ? kUnknown : g_.end_of(work);
    const bool inside = work != kNoNode && ended > time.start && ended <= time.end;
    const Time tail = std::max(kLongestTail, static_cast<Time>(kLongestTailShare * static_cast<double>(time.length())));
    if (inside && time.end - ended <= (of.waits_for_all ? tail : kLongestTail)) {
      add_edge(work, EdgeKind::finished);
      ++g_.waits;
      return;
    }
    if (time.length() > kLongestTail) ++g_.unrecorded_waits;
    // It did not wait in the recording, but would if the work took longer.
    if (work != kNoNode && !inside && of.waits_for_all) add_edge(work, EdgeKind::finished);
  }

  // The device work that ended last until `time`. All of it that started until then has a node.
  Node last_ended(Time time) const {
    Node last = kNoNode;
    for (const std::vector<Node>& works : on_stream_) {
      const Node found = last_ended(works, time);
      if (found != kNoNode && (last == kNoNode || g_.end_of(found) > g_.end_of(last))) last = found;
    }
    return last;
  }

  Node last_ended(const std::vector<Node>& works, Time time) const {
    int looked_at = 0;
    for (auto work = works.rbegin(); work != works.rend() && looked_at < kLookBack; ++work, ++looked_at) {
      if (g_.end_of(*work) <= time) return *work;
    }
    return kNoNode;
  }

  void add_work(Row work, const WorkLinks& links) {
    const Row slice = p_.device_work.slice[work];
    const Time start = p_.slices.start[slice];
    const Row call = calls_.of_launch(p_.device_work.launch[work]);
    if (call != kNoRow) add_edge_if_earlier(node_of_call_[call], EdgeKind::launch);
    std::vector<Node>& stream = on_stream_[p_.main_lane(p_.slices.lane[slice])];
    if (!stream.empty()) add_stream_edges(stream, start);
    links.each_to(work, [&](Row from, EdgeKind kind) { add_edge_if_earlier(node_of_work_[from], kind); });
    if (call != kNoRow) add_unstated_wait(p_.main_lane(p_.slices.lane[slice]), start, p_.end_of(calls_.all()[call].slice));
    const Node node = add_node(NodeKind::work, slice, start, p_.slices.duration[slice]);
    stream.push_back(node);
    node_of_work_[work] = node;
  }

  // A kernel may start while the one before it still ends. One that starts in the first half of the one before it runs beside
  // it, and waited for an earlier one, if for any.
  void add_stream_edges(const std::vector<Node>& stream, Time start) {
    const Node previous = stream.back();
    if (g_.end_of(previous) - start <= g_.length[previous] / 2) return add_edge(previous, EdgeKind::stream);
    add_edge(previous, EdgeKind::order);
    const Node ended = last_ended(stream, start);
    if (ended != kNoNode) add_edge(ended, EdgeKind::stream);
  }

  // Many files do not say that a stream waits for an event of another one. Work that had been launched, whose stream was free,
  // and that still began only when work of another stream of its device ended waited for that.
  void add_unstated_wait(Row stream, Time start, Time launched) {
    Time met = launched;
    for (Edge edge = g_.first_edge.back(); edge < g_.from.size(); ++edge) {
      if (g_.edge_kind[edge] != EdgeKind::launch) met = std::max(met, g_.base(edge));
    }
    if (start - met <= kLongestTail) return;
    Node last = kNoNode;
    for (Row lane = 0; lane < on_stream_.size(); ++lane) {
      if (lane == stream || on_stream_[lane].empty() || p_.lanes.device[lane] != p_.lanes.device[stream]) continue;
      const Node found = last_ended(on_stream_[lane], start);
      if (found != kNoNode && (last == kNoNode || g_.end_of(found) > g_.end_of(last))) last = found;
    }
    if (last == kNoNode || g_.end_of(last) <= met || start - g_.end_of(last) > kLongestTail) return;
    add_edge(last, EdgeKind::event);
    ++g_.unstated_waits;
  }

  // Of equal ones, device work binds.
  void put_binding_first(Node node) {
    const Edge first = g_.first_edge[node];
    Edge best = first;
    for (Edge edge = first + 1; edge < g_.from.size(); ++edge) {
      if (g_.base(edge) >= g_.base(best)) best = edge;
    }
    if (best == first) return;
    std::swap(g_.from[first], g_.from[best]);
    std::swap(g_.edge_kind[first], g_.edge_kind[best]);
  }

  void find_lags() {
    const std::array<Time, kEdgeKinds> usual = usual_lags();
    g_.lag.resize(g_.from.size());
    for (Node node = 0; node < g_.nodes(); ++node) {
      for (Edge edge = g_.first_edge[node]; edge < g_.first_edge[node + 1]; ++edge) {
        const Time recorded = g_.time[node] - g_.base(edge);
        const Time most = usual[static_cast<std::size_t>(g_.edge_kind[edge])];
        g_.lag[edge] = edge == g_.first_edge[node] ? recorded : std::min(recorded, most);
      }
    }
  }

  // Median time between the two ends of binding edges, by kind.
  std::array<Time, kEdgeKinds> usual_lags() const {
    std::array<Time, kEdgeKinds> usual{};
    std::array<std::vector<Time>, kEdgeKinds> lags;
    for (Node node = 0; node < g_.nodes(); ++node) {
      const auto edge = g_.binding(node);
      if (!edge || g_.edge_kind[*edge] == EdgeKind::thread) continue;
      lags[static_cast<std::size_t>(g_.edge_kind[*edge])].push_back(g_.time[node] - g_.base(*edge));
    }
    for (std::size_t kind = 0; kind < kEdgeKinds; ++kind) {
      if (lags[kind].empty()) continue;
      const auto middle = lags[kind].begin() + std::ssize(lags[kind]) / 2;
      std::nth_element(lags[kind].begin(), middle, lags[kind].end());
      usual[kind] = std::max<Time>(0, *middle);
    }
    usual[static_cast<std::size_t>(EdgeKind::thread)] = kShortestWait;
    return usual;
  }

  // ---- steps ----

  void add_steps() {
    std::vector<std::uint32_t> step_of_work(p_.device_work.rows());
    std::vector<std::uint32_t> count(steps_.kept.size() + 1, 0);
    const bool single = steps_.source != StepSource::recorded;
    for (Row work = 0; work < p_.device_work.rows(); ++work) {
      step_of_work[work] = single ? 0 : static_cast<std::uint32_t>(step_of(p_, steps_.kept, work));
      ++count[step_of_work[work]];
    }
    std::exclusive_scan(count.begin(), count.end(), count.begin(), 0u);
    for (std::size_t i = 0; i < steps_.kept.size(); ++i) {
      g_.steps.push_back({.number = steps_.kept[i].number,
                          .window = steps_.kept[i].window,
                          .chained = i > 0 && steps_.kept[i].window.start >= steps_.kept[i - 1].window.end,
                          .first_work = count[i],
                          .last_work = count[i + 1]});
    }
    g_.step_works.resize(count.back());
    for (Row work = 0; work < p_.device_work.rows(); ++work) {
      if (step_of_work[work] < steps_.kept.size()) g_.step_works[count[step_of_work[work]]++] = node_of_work_[work];
    }
    for (Row mark = 0; mark < marks_.size(); ++mark) {
      GraphStep& step = g_.steps[marks_[mark].step];
      (marks_[mark].begins ? step.begin : step.end) = node_of_mark_[mark];
    }
    set_margins(g_);
  }

  const Profile& p_;
  const HostCalls calls_;
  const StepWindows steps_;
  DependencyGraph g_;
  std::vector<Mark> marks_;
  std::vector<Entry> entries_;
  std::vector<Node> node_of_call_, node_of_work_, node_of_mark_;
  std::vector<Node> last_on_chain_;           // by lane
  std::vector<std::vector<Node>> on_stream_;  // by main lane: device work by start
};

}  // namespace

std::int64_t held_bytes(const DependencyGraph& g) {
  return held_bytes(g.slice, g.kind, g.time, g.length, g.first_edge, g.from, g.edge_kind, g.lag, g.steps, g.step_works,
                    g.chain_of_lane);
}

DependencyGraph build_dependency_graph(const Profile& profile) { return GraphBuilder(profile).build(); }

std::shared_ptr<const DependencyGraph> dependency_graph(const ProfilePtr& profile) {
  return derived<DependencyGraph>(profile, [](const ProfilePtr& of) { return build_dependency_graph(*of); });
}

}  // namespace sightline::analyses
