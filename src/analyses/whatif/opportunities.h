// What could be written differently: patterns of device work that a fused, cheaper or hidden version would replace. Each is found
// from shapes, costs and the dependency graph, and its gain is that of a replay.
#pragma once

#include <string>
#include <vector>

#include "analyses/whatif/work_selection.h"

namespace sightline::analyses {

// Device work of one pattern, and what changes for it.
struct Opportunity {
  std::string name;
  std::string detail{};  // shapes and type
  std::int64_t count = 0;
  Time time = 0;                 // of its device work
  double amount = kUnknownReal;  // bytes that a fused kernel does not move; ns of independent work
  std::vector<Node> nodes{};
  std::vector<double> factors{};  // by node: its new length / its length; empty: 0
  bool hides = false;             // nothing waits for it, instead
  std::string change{};           // the same as a scenario, where words can say it
  double gain = kUnknownReal;     // share of the step
};

// Device work at the same place of each list is of one kind; the longest time first.
struct Opportunities {
  std::vector<Opportunity> chains;       // of memory-bound kernels that hand a tensor to each other
  std::vector<Opportunity> collectives;  // with device work beside them that does not depend on them
  std::vector<Opportunity> small;        // kernels under 10 us
  std::vector<Opportunity> copies;
  std::vector<Opportunity> layouts;     // kernels that only change the layout of a tensor
  std::vector<Opportunity> precisions;  // products in a wide type
  std::vector<Opportunity> dimensions;  // products with a dimension that matrix units have to pad
};

Opportunities find_opportunities(const Profile& profile, const DependencyGraph& graph, const WorkSelection& selection);

// Replays each of them.
void find_gains(const DependencyGraph& graph, std::vector<Opportunity>& found);

}  // namespace sightline::analyses
