// HostTree: which host range ran inside which, and sums over groups of its nodes.
// Nodes are operators, modules, steps, data loading and optimizer ranges; everything else on a host thread (annotations, those of
// collectives included, Python functions, launching calls) is transparent: what is inside it belongs to the nearest node outside
// it. An operator whose only child is an operator of the same name absorbs it.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "analyses/costs/cost_sums.h"
#include "analyses/devices/device_activity.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- the backward pass, recognised by the names that the framework gives its ranges ----

inline bool is_backward(std::string_view name) {
  return name.starts_with("autograd::engine::") || name.starts_with("torch::autograd::") ||
         name.find("Backward") != std::string_view::npos;
}

// ---- the tree ----

// Columns by node. Nodes are numbered thread by thread in order of start, so parents precede their children. What a node
// cost is not here: sum_groups sums costs over any groups of nodes.
struct HostTree {
  std::vector<Row> slice;                     // row of slices
  std::vector<Row> parent;                    // node, never an absorbed one; kNoRow at the top
  std::vector<Row> merged_into;               // the node that absorbed it, or itself
  std::vector<Row> operator_row;              // row of operators; kNoRow for what is not an operator
  std::vector<std::uint8_t> matrix_eligible;  // by its own name, an operator inside it, or a matrix kernel it launched

  std::vector<Row> node_of_slice;  // by slice: itself or the nearest node around it; kNoRow outside all of them

  std::size_t nodes() const { return slice.size(); }
  bool absorbed(Row node) const { return merged_into[node] != node; }
  bool is_operator(Row node) const { return operator_row[node] != kNoRow && !absorbed(node); }

  // Whether `owner` is a node, so that it owns the work that it caused; the work that an annotation caused only counts inside a
  // node.
  bool owns_itself(Row owner) const {
    return owner != kNoRow && node_of_slice[owner] != kNoRow && slice[node_of_slice[owner]] == owner;
  }

  // The node whose totals include the work that the host range `owner` caused; kNoRow if there is none.
  Row node_of_owner(Row owner) const {
    if (owner == kNoRow || node_of_slice[owner] == kNoRow) return kNoRow;
    return merged_into[node_of_slice[owner]];
  }
};

std::int64_t held_bytes(const HostTree& tree);

// `also`, if given, selects other slices of host threads that become nodes: annotations, Python functions.
HostTree build_host_tree(const Profile& profile, const std::function<bool(Row)>& also = nullptr);

// The tree of a profile, built once and kept as long as the profile is in use. Thread-safe.
std::shared_ptr<const HostTree> host_tree(const ProfilePtr& profile);

// ---- sums over groups of nodes ----
// Operators by name, by shape or by call stack, or one group per node. Summed directly from slices, launches and device work;
// nothing is stored per node.

struct HostSums {
  std::int64_t calls = 0;
  std::int64_t replays = 0;  // the calls that were replayed with a graph: no host code ran
  Time host_self = 0;        // duration - nodes inside - launching calls inside
  Time host_total = 0;       // duration
  bool matrix_eligible = false;
};

struct DeviceSums {
  Time device_self = 0;   // device work that they own
  Time device_total = 0;  // device work that they, nodes inside and annotations inside own
  Time device_busy = 0;   // length of the union of the work in device_total
  Time matrix_self = 0;   // the parts on matrix units
  Time matrix_total = 0;
  Time unknown_self = 0;  // the parts in kernels for which it is unknown whether they ran on matrix units
  Time unknown_total = 0;
  CostSums costs;  // of the operators with a formula that they are, or that are inside them
};

struct GroupSums : HostSums, DeviceSums {
  // A time on the host; unknown if no call has one.
  Time on_host(Time GroupSums::*time) const { return replays > 0 && replays == calls ? kUnknown : this->*time; }
};

// Why such a time is unknown.
inline constexpr std::string_view kOnlyReplayed = "replayed with a graph: no host code ran";

// Sums by group. `group_of_node[node]` is below `groups`, or kNoRow for nodes that are left out, which absorbed nodes
// must be. A node that is in another one of its group counts in both.
std::vector<GroupSums> sum_groups(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const std::vector<Row>& group_of_node, std::size_t groups);

}  // namespace sightline::analyses
