// Calls, host times and device times of any groups of nodes of the host tree: operators by name, by shape, by call
// stack, or one group per node. Summed straight from slices, launches and device work; nothing is kept per node.
#pragma once

#include <vector>

#include "analyses/devices/device_activity.h"
#include "analyses/operators/host_tree.h"

namespace sightline::analyses {

struct GroupSums {
  std::int64_t calls = 0;
  Time host_self = 0;     // duration - nodes inside - launching calls inside
  Time host_total = 0;    // duration
  Time device_self = 0;   // device work that they own
  Time device_total = 0;  // device work that they, nodes inside and annotations inside own
  Time device_busy = 0;   // length of the union of what device_total counts
  Time matrix_self = 0;   // the parts on matrix units
  Time matrix_total = 0;
  Time unknown_self = 0;  // the parts in kernels of which nothing says whether they ran on matrix units
  Time unknown_total = 0;
  bool matrix_eligible = false;
};

// Sums by group. `group_of_node[node]` is below `groups`, or kNoRow for nodes that are left out, which absorbed nodes
// must be. A node that is in another one of its group counts in both.
std::vector<GroupSums> sum_groups(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const std::vector<Row>& group_of_node, std::size_t groups);

}  // namespace sightline::analyses
