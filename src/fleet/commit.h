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
  std::string engine, engine_lake;  // see TrinoReduce; empty: reduce on this machine
};

struct CommitAnswer {
  Committed committed;
  bool already = false;  // it was committed before, or at the same time by another
};

// Any number may run at once: one of them publishes the capture, and the others report what it published. unavailable: shards
// are missing, and `partial` is false; the message names them.
Result<CommitAnswer> commit(const CommitOptions& options);

// Whether a path is that of a manifest, by its name.
bool is_manifest(const std::string& path);

Result<std::optional<Committed>> find_committed(const std::string& lake, const std::string& capture);

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

struct CleanOptions {
  double older_than_seconds = 0;
  bool dry_run = false;             // only list them
  std::vector<std::string> tables;  // that captures lose when they were committed so long ago
  bool profiles = false;            // such captures lose the profile files of their ranks
  bool whole = false;               // such captures go as a whole
};

// Removes the data files and manifests of committed captures that their list does not name and that are older than this.
Result<Cleaned> clean(const std::string& lake, const CleanOptions& options);

}  // namespace sightline::fleet
