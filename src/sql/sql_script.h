// Statements of this program over Parquet files, run one after another in a child process by a database of its own: each may
// make tables and write files. For statements of users see sql_query.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::sql {

struct ScriptLimits {
  std::int64_t memory = std::int64_t{4} << 30;  // bytes; what does not fit goes to files in the folder
  unsigned threads = 0;                         // 0: all cores
  std::string folder;                           // for temporary files; it must exist
  std::function<bool()> stop = {};              // called every 50 ms; true ends it
};

struct ScriptStep {
  std::string title;  // errors name it
  std::string sql;
};

// True when all have run. The error is that of the first statement that failed. unsupported: DuckDB is not installed;
// unavailable: the statement failed, for lack of memory for example; cancelled: `stop` returned true.
Result<bool> run_script(const std::vector<ScriptStep>& steps, const ScriptLimits& limits);

}  // namespace sightline::sql
