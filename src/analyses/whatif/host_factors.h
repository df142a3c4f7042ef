// Factors on the host's code: which stretches of each chain of threads a change covers, and how long gaps between nodes become.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "analyses/whatif/dependency_graph.h"
#include "model/interval.h"

namespace sightline::analyses {

// By chain.
using ChainSets = std::map<Row, IntervalSet>;

// Where host slices that pass lie.
ChainSets host_intervals(const Profile& profile, const DependencyGraph& graph, const std::function<bool(Row)>& passes);

struct HostFactor {
  ChainSets sets;
  bool inside = true;  // the factor holds inside the sets; else outside
  double factor = 1;
};

// Factors multiply. A length is at most this, and so are those of a change together (see length_fault).
inline constexpr double kLongestNs = 1e18;
Time rounded(double length);

// Multiplies the gaps of the host in `length`; where several cover an instant, their factors multiply. Waits keep theirs.
void apply_host_factors(const Profile& profile, const DependencyGraph& graph, const std::vector<HostFactor>& factors,
                        std::vector<Time>& length);

}  // namespace sightline::analyses
