// The walk goes backwards from the end of the step. Each piece ends where the one after it begins.
#include "analyses/whatif/critical_path.h"

#include <algorithm>

namespace sightline::analyses {

std::string_view path_class_words(PathClass of) {
  switch (of) {
    case PathClass::kernel: return "Kernels";
    case PathClass::collective: return "Collectives";
    case PathClass::copy: return "Copies and fills";
    case PathClass::device_gap: return "Between device work";
    case PathClass::latency: return "Launch latency";
    case PathClass::call: return "Runtime calls";
    case PathClass::op: return "Operators on the host";
    case PathClass::loading: return "Data loading";
    case PathClass::host: return "Other host code";
    case PathClass::outside: return "Host, nothing recorded";
    case PathClass::wait: return "Synchronization";
    case PathClass::unknown: return "Unknown";
  }
  return "";
}

std::string_view path_class_hue(PathClass of) {
  switch (of) {
    case PathClass::kernel: return "kernel";
    case PathClass::collective: return "communication";
    case PathClass::copy: return "memcpy";
    case PathClass::latency: return "memset";
    case PathClass::call: return "runtime";
    case PathClass::op: return "host";
    case PathClass::loading: return "dataloader";
    case PathClass::unknown: return "idle";
    default: return path_class_words(of);
  }
}

CriticalPath::CriticalPath(const Profile& profile, const DependencyGraph& graph)
    : p_(profile), g_(graph), lanes_of_chain_(profile.lanes.rows()) {
  for (Row lane = 0; lane < p_.lanes.rows(); ++lane) {
    if (p_.lanes.kind[lane] == LaneKind::host_thread) lanes_of_chain_[g_.chain_of_lane[lane]].push_back(lane);
  }
}

std::vector<Row> CriticalPath::begin_after(Row chain, Time time) const {
  const auto& start = p_.slices.start;
  std::vector<Row> next;
  for (const Row lane : lanes_of_chain_[chain]) {
    const auto after = std::upper_bound(start.begin() + p_.lanes.first[lane], start.begin() + p_.lanes.last[lane], time);
    next.push_back(static_cast<Row>(after - start.begin()));
  }
  return next;
}

// The slices of a lane are nested and sorted by start, so the innermost one is the last that has begun, or around it.
Row CriticalPath::innermost(Row chain, std::vector<Row>& next, Time time, Time& until) const {
  const Slices& slices = p_.slices;
  Row found = kNoRow;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Row lane = lanes_of_chain_[chain][i];
    const Row first = p_.lanes.first[lane], last = p_.lanes.last[lane];
    while (next[i] < last && slices.start[next[i]] <= time) ++next[i];
    Row slice = next[i] == first ? kNoRow : next[i] - 1;
    while (slice != kNoRow && p_.end_of(slice) <= time) slice = slices.parent[slice];
    Row change = next[i];
    while (change < last && slices.duration[change] == 0) ++change;
    if (change < last) until = std::min(until, slices.start[change]);
    if (slice == kNoRow) continue;
    until = std::min(until, p_.end_of(slice));
    if (found == kNoRow || slices.start[slice] > slices.start[found]) found = slice;
  }
  return found;
}

namespace {

// What a range of the host is, and the range that names it: of an operator, not what is recorded inside it.
PathPiece host_piece(const Profile& p, Row slice, Interval interval) {
  if (slice == kNoRow) return {interval, PathClass::outside, kNoRow};
  if (p.slices.kind[slice] == SliceKind::runtime) return {interval, PathClass::call, slice};
  for (Row around = slice; around != kNoRow; around = p.slices.parent[around]) {
    if (p.slices.kind[around] == SliceKind::op) return {interval, PathClass::op, around};
    if (p.slices.kind[around] == SliceKind::data_loading) return {interval, PathClass::loading, around};
  }
  return {interval, PathClass::host, slice};
}

PathClass work_class(SliceKind kind) {
  if (kind == SliceKind::collective) return PathClass::collective;
  return kind == SliceKind::kernel ? PathClass::kernel : PathClass::copy;
}

}  // namespace

// Pieces are added backwards, so this one is cut from its end.
void CriticalPath::add_host(std::vector<PathPiece>& pieces, Row chain, Interval interval) const {
  const std::size_t first = pieces.size();
  std::vector<Row> next = chain == kNoRow ? std::vector<Row>() : begin_after(chain, interval.start);
  for (Time at = interval.start; at < interval.end;) {
    Time until = interval.end;
    const Row slice = chain == kNoRow ? kNoRow : innermost(chain, next, at, until);
    const PathPiece piece = host_piece(p_, slice, {at, until});
    PathPiece* const last = pieces.size() > first ? &pieces.back() : nullptr;
    if (last != nullptr && last->of == piece.of && last->slice == piece.slice) {
      last->interval.end = until;
    } else {
      pieces.push_back(piece);
    }
    at = until;
  }
  std::reverse(pieces.begin() + static_cast<std::ptrdiff_t>(first), pieces.end());
}

// Of a mark without a slice: that of the nodes before it.
Row CriticalPath::chain_of(Node node) const {
  while (g_.slice[node] == kNoRow) {
    const auto edge = g_.binding(node);
    if (!edge) return kNoRow;
    node = g_.from[*edge];
  }
  const Row lane = p_.slices.lane[g_.slice[node]];
  return g_.kind[node] == NodeKind::work ? kNoRow : g_.chain_of_lane[lane];
}

Node last_of(const DependencyGraph& graph, const GraphStep& step) {
  Node last = step.end;
  for (std::uint32_t i = step.first_work; i < step.last_work; ++i) {
    const Node work = graph.step_works[i];
    if (last == kNoNode || graph.end_of(work) >= graph.end_of(last)) last = work;
  }
  return last;
}

void PathWalk::take(PathClass of, Time from, Row slice) {
  from = std::max(from, begin);
  if (from < at) pieces.push_back({{from, at}, of, slice});
  at = std::min(at, from);
}

void CriticalPath::through(PathWalk& walk, Node node) const {
  if (g_.kind[node] != NodeKind::work) return;
  walk.take(work_class(p_.slices.kind[g_.slice[node]]), g_.time[node], g_.slice[node]);
}

Node CriticalPath::before(PathWalk& walk, Node node) const {
  const auto edge = g_.binding(node);
  if (!edge) return kNoNode;
  const Row slice = g_.slice[node];
  const Time base = g_.base(*edge);
  const EdgeKind kind = g_.edge_kind[*edge];
  if (kind == EdgeKind::launch) {
    const Row call = g_.slice[g_.from[*edge]];
    walk.take(PathClass::latency, std::max(base, p_.end_of(call)), slice);
    walk.take(PathClass::call, base, call);
  } else if (g_.kind[node] == NodeKind::wait) {
    walk.take(PathClass::wait, base, slice);
  } else if (kind != EdgeKind::thread) {
    if (kind != EdgeKind::order) walk.take(PathClass::device_gap, base, slice);
  } else if (const Time from = std::max(base, walk.begin); from < walk.at) {
    add_host(walk.pieces, chain_of(node), {from, walk.at});
    walk.at = from;
  }
  return g_.from[*edge];
}

std::vector<PathPiece> CriticalPath::of(const GraphStep& step) const {
  PathWalk walk{step.window.start, step.window.end};
  Node node = last_of(g_, step);
  if (node != kNoNode) walk.take(PathClass::unknown, g_.end_of(node), kNoRow);
  while (node != kNoNode && walk.at > walk.begin) {
    through(walk, node);
    node = before(walk, node);
  }
  walk.take(PathClass::unknown, walk.begin, kNoRow);
  std::reverse(walk.pieces.begin(), walk.pieces.end());
  return std::move(walk.pieces);
}

}  // namespace sightline::analyses
