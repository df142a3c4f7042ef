// The JSON files of a lake: the plan (which ranks there are), the manifest of an attempt at a shard (what it wrote), and the list
// of a committed capture (which files count).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/shard_tables.h"

namespace sightline::fleet {

// The traces of all ranks, in order: rank i of the plan has the id i.
struct Plan {
  std::string capture;
  std::int64_t shards = 1;
  std::vector<RankSource> ranks;

  // Of the workers and paths.
  std::string fingerprint() const;
};

std::string plan_json(const Plan& plan);
Result<Plan> parse_plan(const std::string& text, const std::string& where);

struct LakeFile {
  std::string path;  // in the lake
  std::int64_t rows = 0, bytes = 0;
  std::string checksum;  // XXH3, 64 bits; empty: not known
};
using LakeFiles = std::map<std::string, std::vector<LakeFile>>;  // by table
using ProfileFiles = std::vector<LakeFile>;                      // of ranks; their rows are slices

// Of all files of a table; 0 if it has none.
std::int64_t rows_of(const LakeFiles& files, const std::string& table);

struct Manifest {
  std::string capture, attempt;
  std::int64_t shard = 0, shards = 1;
  std::int64_t ranks = 0;             // of the shard
  std::vector<std::int64_t> failed;   // ids of those that could not be read
  std::vector<std::int64_t> partial;  // or not completely
  std::int64_t world_size = 0;        // largest that is recorded; 0: none
  std::int64_t plan_ranks = 0;        // of the whole plan
  std::string plan, schema, program;  // fingerprints, and the program's version
  LakeFiles tables;
  ProfileFiles profiles = {};  // no commit needs them
};

std::string manifest_json(const Manifest& manifest);
Result<Manifest> parse_manifest(const std::string& text, const std::string& where);

// What COMMITTED.json says.
struct Committed {
  std::string capture, choice, program, plan;  // `choice`: of the manifests' names
  std::int64_t round = 1;                      // how often the capture was committed, each time with more shards
  std::int64_t shards = 0;                     // of the plan
  std::vector<std::int64_t> missing_shards;
  std::vector<std::string> manifests, removed_tables;
  std::int64_t ranks = 0, damaged = 0, world_size = 0, ranks_missing = 0;
  bool reduced = false;
  LakeFiles tables;
  ProfileFiles profiles = {};
  std::vector<LakeFile> gathered = {};  // of shards, whose rows are also in the one file of a table

  bool partial() const { return ranks_missing > 0 || !missing_shards.empty(); }
};

std::string committed_json(const Committed& committed);
Result<Committed> parse_committed(const std::string& text, const std::string& where);

}  // namespace sightline::fleet
