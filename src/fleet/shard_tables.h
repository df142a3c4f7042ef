// The rows of a shard: what a lake keeps of the profile of each of its ranks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/lake_tables.h"
#include "fleet/topology.h"
#include "model/profile.h"

namespace sightline::fleet {

// A rank's trace, as it is listed before anything is read.
struct RankSource {
  std::int64_t id = 0;  // its number in the list of ranks
  std::string worker;
  std::string path;
  std::int64_t bytes = 0;
  std::string role = {};  // in a job of several roles (engine/discover.h); else empty
};

class ShardTables {
 public:
  explicit ShardTables(Topology topology = {});

  // `profile_file`: where the lake has all columns of the profile; empty: nowhere. True: a part of the trace is missing.
  bool add(const RankSource& source, const Profile& profile, const std::string& profile_file = "");
  void add_failed(const RankSource& source, const Error& error);

  struct Table {
    std::string_view name;
    std::int64_t rows = 0;
    std::string bytes;  // of a Parquet file
  };

  // Those that have rows. Call it once.
  Result<std::vector<Table>> finish();

 private:
  HostPlace place_of(const std::string& host) const;
  LakeWriter& of(std::string_view table) { return writers_.at(table); }

  const Topology topology_;
  std::map<std::string_view, LakeWriter> writers_;
};

}  // namespace sightline::fleet
