// RangeTree: groups of host-tree nodes that are in a tree (modules by who calls whom, hooks by nesting), what they cost,
// and what their backward pass cost.
#pragma once

#include <vector>

#include "analyses/devices/device_activity.h"
#include "analyses/operators/host_tree.h"

namespace sightline::analyses {

// Parents precede their children.
struct RangeTree {
  std::vector<Row> parent;         // by group: a group, kNoRow for a root
  std::vector<Row> group_of_node;  // by node of the host tree; kNoRow: not a member
  std::vector<Row> group_around;   // by node: the group of the innermost member at or around it; kNoRow outside of all
  std::vector<Row> longest;        // by group: row of slices, the first of equals

  std::size_t groups() const { return parent.size(); }
};

// Completes a tree whose `parent` and `group_of_node` are filled. No absorbed node may be a member.
void finish_range_tree(const Profile& profile, const HostTree& tree, RangeTree& ranges);

// Of one group. Member nodes are not inside others of their group, except Lightning modules that call themselves.
struct RangeSums {
  std::int64_t calls = 0;
  std::int64_t operators = 0;  // operators directly inside the members
  Time host_total = 0;         // duration
  Time host_own = 0;           // host_total - members directly inside
  Time host_self = 0;          // host_total - members, operators and launching calls directly inside
  Time device_total = 0;       // device work caused inside
  Time device_own = 0;         // the part caused in no member inside
  Time device_busy = 0;        // length of the union of what device_total counts; kUnknown where it was not summed
};

std::vector<RangeSums> sum_ranges(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const RangeTree& ranges);

// What the backward operators of each group's forward operators cost, groups below included. Empty when the profile has no
// links from forward to backward operators. A backward operator is the framework's evaluation of one autograd node; the
// accumulation of a gradient belongs to the one before it on its thread. A piece of time counts for one group only.
struct BackwardSums {
  Time host = 0;
  Time device = 0;
};
std::vector<BackwardSums> sum_backward(const Profile& profile, const HostTree& tree, const RangeTree& ranges);

}  // namespace sightline::analyses
