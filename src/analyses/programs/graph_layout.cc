// Layers and places of the boxes of a graph.
#include "analyses/programs/graph_layout.h"

#include <algorithm>
#include <numeric>

#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr int kSweeps = 6;

using Neighbours = std::vector<std::vector<std::size_t>>;

// Boxes so that each comes after those that lead to it. In a cycle, the one with the lowest number comes first.
std::vector<std::size_t> topological_order(const Neighbours& above, const Neighbours& below) {
  const std::size_t boxes = above.size();
  std::vector<std::size_t> open(boxes), order;
  std::vector<bool> placed(boxes, false);
  for (std::size_t box = 0; box < boxes; ++box) open[box] = above[box].size();
  const auto place = [&](std::size_t box) {
    placed[box] = true;
    order.push_back(box);
  };
  for (std::size_t box = 0; box < boxes; ++box) {
    if (open[box] == 0) place(box);
  }
  for (std::size_t next = 0, lowest = 0; order.size() < boxes || next < order.size(); ++next) {
    if (next == order.size()) {
      while (placed[lowest]) ++lowest;
      place(lowest);
    }
    for (const std::size_t box : below[order[next]]) {
      if (--open[box] == 0 && !placed[box]) place(box);
    }
  }
  return order;
}

std::vector<std::size_t> layers_of(const Neighbours& above, const Neighbours& below) {
  const std::vector<std::size_t> order = topological_order(above, below);
  std::vector<std::size_t> rank(order.size()), layers(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  for (const std::size_t box : order) {
    for (const std::size_t from : above[box]) {
      if (rank[from] < rank[box]) layers[box] = std::max(layers[box], layers[from] + 1);
    }
  }
  // A box that nothing leads to is drawn right above the first box that it leads to.
  for (const std::size_t box : order) {
    if (!above[box].empty() || below[box].empty()) continue;
    std::size_t first = layers[below[box].front()];
    for (const std::size_t to : below[box]) first = std::min(first, layers[to]);
    if (first > 0) layers[box] = first - 1;
  }
  return layers;
}

}  // namespace

std::vector<GraphPlace> lay_out_graph(std::size_t boxes, const std::vector<GraphEdge>& edges) {
  Neighbours above(boxes), below(boxes);
  for (const GraphEdge& edge : edges) {
    if (edge.from == edge.to) continue;
    above[edge.to].push_back(edge.from);
    below[edge.from].push_back(edge.to);
  }
  const std::vector<std::size_t> layer = layers_of(above, below);
  std::vector<std::vector<std::size_t>> rows(boxes == 0 ? 0 : *std::max_element(layer.begin(), layer.end()) + 1);
  for (std::size_t box = 0; box < boxes; ++box) rows[layer[box]].push_back(box);
  std::vector<GraphPlace> places(boxes);
  const auto spread = [&](const std::vector<std::size_t>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      places[row[i]].place = static_cast<double>(i) - static_cast<double>(row.size() - 1) / 2;
  };
  for (std::size_t box = 0; box < boxes; ++box) places[box].layer = layer[box];
  for (const auto& row : rows) spread(row);
  const auto sweep = [&](std::vector<std::size_t>& row, const Neighbours& neighbours) {
    const auto mean = [&](std::size_t box) {
      const auto& of = neighbours[box];
      if (of.empty()) return places[box].place;
      const double sum =
          std::accumulate(of.begin(), of.end(), 0.0, [&](double all, std::size_t each) { return all + places[each].place; });
      return sum / static_cast<double>(of.size());
    };
    std::vector<std::pair<double, std::size_t>> wanted;
    for (const std::size_t box : row) wanted.emplace_back(mean(box), box);
    sort_up(wanted, [](const auto& each) { return each.first; });
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = wanted[i].second;
    spread(row);
  };
  for (int turn = 0; turn < kSweeps; ++turn) {
    if (turn % 2 == 0) {
      for (std::size_t row = 1; row < rows.size(); ++row) sweep(rows[row], above);
    } else {
      for (std::size_t row = rows.size(); row-- > 1;) sweep(rows[row - 1], below);
    }
  }
  return places;
}

}  // namespace sightline::analyses
