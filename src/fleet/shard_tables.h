// The rows of a shard: what a lake keeps of the profile of each of its ranks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/lake_tables.h"
#include "model/profile.h"

namespace sightline::fleet {

// A rank's trace, as it is listed before anything is read.
struct RankSource {
  std::int64_t id = 0;  // its number in the list of ranks
  std::string worker;
  std::string path;
  std::int64_t bytes = 0;
};

class ShardTables {
 public:
  ShardTables();

  // True: a part of the trace is missing.
  bool add(const RankSource& source, const Profile& profile);
  void add_failed(const RankSource& source, const Error& error);

  struct Table {
    std::string_view name;
    std::int64_t rows = 0;
    std::string bytes;  // of a Parquet file
  };

  // Those that have rows. Call it once.
  Result<std::vector<Table>> finish();

 private:
  LakeWriter& of(std::string_view table) { return writers_.at(table); }

  std::map<std::string_view, LakeWriter> writers_;
};

}  // namespace sightline::fleet
