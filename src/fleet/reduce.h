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

// In order, in a subset of SQL that DuckDB and Trino share. `$capture` is the capture's name.
std::span<const ReduceStatement> reduce_statements();

// What every engine runs: the statements, and before them one that makes the table that they need besides those of the shards.
std::vector<sql::ScriptStep> reduce_steps(const std::string& capture);

// The columns of a table of the whole capture in a SELECT, as they are declared.
std::string declared_columns(const LakeTableInfo& table);

struct ReduceOptions {
  std::int64_t memory = std::int64_t{4} << 30;  // bytes
  unsigned threads = 0;
  bool members = true;  // write the table members, which takes a sort of all collectives
  std::function<bool()> stop = {};
};

// Writes FOLDER/TABLE.parquet for each table of the whole capture. `tables`: the files of each table of shards, on this machine.
// The folder is also that of temporary files. Errors are those of run_script.
Result<bool> reduce(const std::map<std::string, std::vector<std::string>>& tables, const std::string& capture,
                    const std::string& folder, const ReduceOptions& options);

}  // namespace sightline::fleet
