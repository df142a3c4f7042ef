// The reduction: from the tables of all shards to those of the whole capture, in SQL (src/fleet/sql/reduce). What it computes
// equals what analyses/ranks/collectives computes from profiles in memory; tests compare every cell.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/lake_tables.h"
#include "sql/sql_script.h"

namespace sightline::fleet {

struct ReduceStatement {
  std::string_view file;  // its name
  std::string_view sql;
};

// In order, in a subset of SQL that DuckDB and Trino share. `$capture` is the capture's name, `$part` the condition on a
// collective of being in the part that is summed up.
std::span<const ReduceStatement> reduce_statements();

// What every engine runs: the statements, and before them one that makes the table that they need besides those of the shards.
// Those that sum up collectives, numbered 40 to 59, run once for each of `parts` parts, and add their rows: no engine can move
// all of their sums to a disk.
std::vector<sql::ScriptStep> reduce_steps(const std::string& capture, std::int64_t parts);

// In how many parts so many collectives are summed up, if the sums of each may take so much memory. `bytes_of_collective`: what
// the engine was measured to need for it.
std::int64_t parts_of(std::int64_t collectives, std::int64_t bytes_of_collective, std::int64_t memory);

// The columns of a table of the whole capture in a SELECT, as they are declared.
std::string declared_columns(const LakeTableInfo& table);

struct ReduceOptions {
  std::int64_t memory = std::int64_t{4} << 30;  // bytes
  unsigned threads = 0;
  std::int64_t parts = 0;  // of reduce_steps; 0: as the memory allows
  bool members = true;     // write the table members, which takes a sort of all collectives
  std::function<bool()> stop = {};
};

// Writes FOLDER/TABLE.parquet for each table of the whole capture. `tables`: the files of each table of shards, on this machine;
// `collectives`: the rows of that table.
// The folder is also that of temporary files. Errors are those of run_script.
Result<bool> reduce(const std::map<std::string, std::vector<std::string>>& tables, std::int64_t collectives,
                    const std::string& capture, const std::string& folder, const ReduceOptions& options);

}  // namespace sightline::fleet
