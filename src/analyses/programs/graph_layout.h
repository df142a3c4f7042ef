// Where the boxes of a small directed graph are drawn: in layers, so that arrows lead down, and in an order within a layer that
// crosses few of them (Sugiyama's method: layers by longest path, order by the mean place of the neighbours).
#pragma once

#include <cstddef>
#include <vector>

namespace sightline::analyses {

struct GraphEdge {
  std::size_t from, to;
};

struct GraphPlace {
  std::size_t layer = 0;  // from the top
  double place = 0;       // of the centre, in widths of a box; 0 is the middle of every layer
};

// Edges to the same box, and those that close a cycle, do not count for layers. REQUIRES: ends are below `boxes`.
std::vector<GraphPlace> lay_out_graph(std::size_t boxes, const std::vector<GraphEdge>& edges);

}  // namespace sightline::analyses
