// Which capture each launch of a graph replays: the k-th node of the capture is the k-th piece of device work of the launch.
// docs/formats/pytorch.md, "Graphs", has the rules.
#pragma once

#include <vector>

#include "formats/kineto/graph_capture.h"
#include "model/profile.h"

namespace sightline::formats::kineto {

// One launch of a graph.
struct GraphReplay {
  Row launch = kNoRow;     // row of launches
  std::vector<Row> works;  // rows of device_work, in the order of the nodes
  bool in_order = true;    // whether that order is known: nodes have ids, or all ran on one stream
  GraphMatch match = GraphMatch::no_capture;
  // If it is matched:
  std::size_t graph = 0;        // the captured graph
  bool of_all_threads = false;  // which of its two lists of nodes
  std::size_t first_node = 0;   // the node of the first work
};

// The launches of graphs in the profile, by row of launches. REQUIRES: device work has its launches.
std::vector<GraphReplay> graph_replays(const Profile& profile);

// Matches the launches, and sets `works` of those on several streams to the order of the nodes.
void match_replays(const Profile& profile, const std::vector<CapturedGraph>& graphs, std::vector<GraphReplay>& replays);

}  // namespace sightline::formats::kineto
