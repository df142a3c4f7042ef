// SQL over the tables of one profile, or of several one by one. The text is not trusted: it can read these tables and nothing
// else, and it is stopped when it takes too long or too much. Each query runs in a process of its own (bounded_child.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "model/report.h"
#include "sql/sql_parameters.h"

namespace sightline::sql {

inline constexpr int kMostQueries = 4;  // that run at once; others wait for their turn

struct SqlLimits {
  std::size_t rows = 10'000;                    // of the answer; 0: all
  std::size_t bytes = 16 << 20;                 // of the answer; 0: all
  double seconds = 30;                          // of running, not of waiting for its turn; 0: as long as it takes
  std::int64_t memory = std::int64_t{1} << 30;  // bytes that the query may take
  std::int64_t temporary = 0;                   // most bytes of temporary files; 0: eight times the memory
  std::function<bool()> stop = {};              // asked every 50 ms; true ends the query
};

struct SqlAnswer {
  ReportTable table;        // key `result`; a column of the profile keeps its unit and meaning, others may name theirs: total_ns
  bool more_rows = false;   // there are more rows than the limit
  bool more_bytes = false;  // or more bytes
  double seconds = 0;       // of running
};

// One SELECT. invalid_argument: the text is wrong (`where` is its place, such as "line 1, column 8"), or too much was asked;
// cancelled: `stop` said so; unsupported: there is no DuckDB; unavailable: the system gives no process.
// `parameters` are the values of `$name` in the text.
Result<SqlAnswer> query_profile(const Profile& profile, const std::string& sql, const SqlLimits& limits,
                                std::span<const SqlParameter> parameters = {});

// What is wrong with one SELECT whatever the profile, and that there is no DuckDB: it is prepared on tables without rows. True
// where that takes longer than a second, too. Errors as above.
Result<bool> check_statement(const std::string& sql, SqlLimits limits);

// One of several profiles: what tells it from the others, and how it is had when its turn comes.
struct SqlSource {
  std::vector<std::string> names;
  std::function<Result<std::shared_ptr<const Profile>>()> open;
};

// The same statement on each profile, and all answers as one table, behind columns called `name_columns` with each profile's
// names. The limits are those of all together.
Result<SqlAnswer> query_profiles(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                                 const std::string& sql, const SqlLimits& limits);

}  // namespace sightline::sql
