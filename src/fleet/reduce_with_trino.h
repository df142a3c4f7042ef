// The reduction on a Trino cluster, for captures that outgrow one machine: the statements of reduce.h over the lake's files,
// which the cluster reads and writes itself. The tables between are in a schema that is removed at the end.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "fleet/manifest.h"

namespace sightline::fleet {

struct TrinoReduce {
  std::string engine;       // see TrinoAddress
  std::string engine_lake;  // the lake's address as the cluster knows it; empty: as we know it
  std::string lake, capture, attempt;
  std::int64_t memory = std::int64_t{4} << 30;  // bytes that one statement may take on the cluster
  std::int64_t parts = 0;                       // of reduce_steps; 0: as the memory allows
  bool members = true;                          // write the table members
};

// Writes the tables of the whole capture into the lake and returns their files. `tables`: those of the shards. A table without
// rows may have no file. The cluster must see each of the given rows, or it is an error.
Result<LakeFiles> reduce_with_trino(const LakeFiles& tables, const TrinoReduce& options);

}  // namespace sightline::fleet
