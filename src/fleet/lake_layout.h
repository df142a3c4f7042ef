// Where a lake keeps what: names of folders and files, all relative to the lake.
//   data/TABLE/capture=ID/shard=NNNNN/ATTEMPT.parquet   rows of a table, of the ranks of a shard; never overwritten
//   data/TABLE/capture=ID/reduced/ATTEMPT.parquet       tables of the whole capture, computed from those of the shards
//   manifests/capture=ID/NNNNN.ATTEMPT.json             what an attempt wrote; its last file
//   manifests/capture=ID/PLAN.json                      the ranks and the number of shards; optional
//   manifests/capture=ID/COMMITTED.json                 the files that count; readers begin here
//   profiles/capture=ID/rank=NNNNN/ATTEMPT.arrow        all columns of a rank; optional
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::fleet {

// One shard of several: ranks [shard * ranks / shards, (shard + 1) * ranks / shards) of the list of ranks.
struct Shard {
  std::int64_t number = 0, of = 1;
};

inline constexpr std::int64_t kMostShards = 1'000'000;

// "3/8". invalid_argument: it is not two numbers, or the first is not below the second.
Result<Shard> parse_shard(const std::string& text);

// A name that is safe in paths: letters, digits, '.', '_' and '-'; others become '_'.
std::string capture_id(std::string_view name);
Result<bool> check_capture_id(const std::string& id);

// A name for an attempt that no other has.
std::string new_attempt();

std::string shard_file(std::string_view table, const std::string& capture, std::int64_t shard, const std::string& attempt);
std::string reduced_file(std::string_view table, const std::string& capture, const std::string& attempt);
std::string manifest_file(const std::string& capture, std::int64_t shard, const std::string& attempt);
std::string plan_file(const std::string& capture);
std::string committed_file(const std::string& capture);
std::string profile_file(const std::string& capture, std::int64_t rank, const std::string& attempt);

// A path below the lake's own, from a whole one.
std::string path_inside(const std::string& lake, const std::string& path);

std::string manifests_of(const std::string& capture);             // folder
std::vector<std::string> folders_of(const std::string& capture);  // that hold data files, one for each table

}  // namespace sightline::fleet
