// What happens to a capture after its ranks were mapped: the commit, which chooses one complete attempt at each shard, reduces
// them and publishes the list of their files; removing what no list names; and listing the captures of a lake.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/manifest.h"
#include "fleet/reduce.h"

namespace sightline::fleet {

struct CommitOptions {
  std::string lake, capture;
  bool partial = false;  // commit although shards are missing
  ReduceOptions reduce;
};

struct CommitAnswer {
  Committed committed;
  bool already = false;  // it was committed before, or at the same time by another
};

// Any number may run at once: one of them publishes the capture, and the others report what it published. unavailable: shards
// are missing, and `partial` is false; the message names them.
Result<CommitAnswer> commit(const CommitOptions& options);

struct CaptureInLake {
  std::string capture;
  std::optional<Committed> committed;
  std::int64_t shards = 0, shards_mapped = 0;  // of its plan; that have a manifest
};

Result<std::vector<CaptureInLake>> list_captures(const std::string& lake);

struct Cleaned {
  std::vector<std::string> files;  // in the lake
  std::int64_t bytes = 0;
};

// Removes the data files and manifests of committed captures that their list does not name and that are older than this.
// `dry_run`: only lists them.
Result<Cleaned> clean(const std::string& lake, double older_than_seconds, bool dry_run);

}  // namespace sightline::fleet
