// Each gap is cut at the borders of the sets that it meets.
#include "analyses/whatif/host_factors.h"

#include <algorithm>
#include <cmath>

namespace sightline::analyses {

ChainSets host_intervals(const Profile& p, const DependencyGraph& graph, const std::function<bool(Row)>& passes) {
  std::map<Row, std::vector<Interval>> found;
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    if (p.lanes.kind[lane] != LaneKind::host_thread) continue;
    for (Row slice = p.lanes.first[lane]; slice < p.lanes.last[lane]; ++slice) {
      if (passes(slice)) found[graph.chain_of_lane[lane]].push_back({p.slices.start[slice], p.end_of(slice)});
    }
  }
  ChainSets sets;
  for (auto& [chain, intervals] : found) sets[chain] = merge(std::move(intervals));
  return sets;
}

namespace {

struct Piece {
  Interval interval;
  double factor;
};

// Multiplies the factor of what lies inside (or outside) the set.
void multiply(std::vector<Piece>& pieces, const IntervalSet* set, const HostFactor& by, std::vector<Piece>& cut) {
  cut.clear();
  for (const Piece& piece : pieces) {
    Time at = piece.interval.start;
    const auto add = [&](Time until, bool in_set) {
      if (until > at) cut.push_back({{at, until}, piece.factor * (in_set == by.inside ? by.factor : 1)});
      at = std::max(at, until);
    };
    if (set != nullptr) {
      auto next = std::partition_point(set->begin(), set->end(), [&](const Interval& one) { return one.end <= at; });
      for (; next != set->end() && next->start < piece.interval.end; ++next) {
        add(next->start, false);
        add(std::min(next->end, piece.interval.end), true);
      }
    }
    add(piece.interval.end, false);
  }
  pieces.swap(cut);
}

}  // namespace

Time rounded(double length) { return std::llround(std::min(length, kLongestNs)); }

void apply_host_factors(const Profile& p, const DependencyGraph& graph, const std::vector<HostFactor>& factors,
                        std::vector<Time>& length) {
  if (factors.empty()) return;
  std::vector<Row> chain_of(graph.nodes(), kNoRow);
  std::vector<Piece> pieces, cut;
  for (Node node = 0; node < graph.nodes(); ++node) {
    if (graph.kind[node] == NodeKind::work) continue;
    const auto edge = graph.binding(node);
    const Row slice = graph.slice[node];
    if (slice != kNoRow) {
      chain_of[node] = graph.chain_of_lane[p.slices.lane[slice]];
    } else if (edge) {
      chain_of[node] = chain_of[graph.from[*edge]];  // marks have only an edge of their thread
    }
    if (graph.kind[node] == NodeKind::wait || !edge || length[node] == 0) continue;
    pieces.assign(1, {{graph.time[node] - graph.length[node], graph.time[node]}, 1});
    for (const HostFactor& factor : factors) {
      const auto set = factor.sets.find(chain_of[node]);
      multiply(pieces, set == factor.sets.end() ? nullptr : &set->second, factor, cut);
    }
    double sum = 0;
    for (const Piece& piece : pieces) sum += static_cast<double>(piece.interval.length()) * piece.factor;
    length[node] = rounded(sum);
  }
}

}  // namespace sightline::analyses
