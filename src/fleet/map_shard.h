// map: reads the traces of one shard of ranks and writes their rows into a lake. It keeps no state: any number of attempts at a
// shard may run, at the same time and on different machines; the committer chooses one that is complete.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/capture.h"
#include "fleet/lake_layout.h"
#include "fleet/manifest.h"

namespace sightline::fleet {

struct MapOptions {
  std::string lake;     // folder or address
  std::string capture;  // empty: named by the run
  ProfileSelector selector;
  unsigned threads = 0;
  Topology topology = {};
  bool with_profiles = false;                        // also writes all columns of each rank, for its timeline
  std::int64_t memory = 0;                           // most bytes that reading may take; 0: as the engine's default
  std::function<void(const std::string&)> say = {};  // called with the name of a rank that cannot be read, and why
};

// The ranks under these paths: one span of one run. A path that ends with PLAN.json is a plan.
Result<Plan> make_plan(const std::vector<std::string>& paths, const MapOptions& options);

// The manifest that was written last. The error of a cloud that does not answer, or of a lake that cannot be written, is
// `unreadable` or `unavailable`: another attempt may succeed. Others will not.
Result<Manifest> map_shard(const Plan& plan, Shard shard, const MapOptions& options);

}  // namespace sightline::fleet
