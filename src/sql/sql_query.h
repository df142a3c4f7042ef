// SQL over the tables of one profile, or of several one by one. The text is not
// trusted: it can read only these tables, and it is stopped when it takes too long
// or too much memory. Each query runs in a separate process (bounded_child.h).
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
  double seconds = 30;                          // of running, without waiting for its turn; 0: no limit
  std::int64_t memory = std::int64_t{1} << 30;  // bytes that the query may take
  std::int64_t temporary = 0;                   // most bytes of temporary files; 0: eight times the memory
  std::function<bool()> stop = {};              // called every 50 ms; true ends the query
};

struct SqlAnswer {
  ReportTable table;        // key `result`; a column of the profile keeps its unit and meaning, others may name theirs: total_ns
  bool more_rows = false;   // the answer has more rows than the limit
  bool more_bytes = false;  // or more bytes
  double seconds = 0;       // of running
};

// One SELECT. `parameters` are the values of `$name` in the
// text. invalid_argument: the text is wrong (`where` is its
// place, such as "line 1, column 8"), or the query exceeds a
// limit; cancelled: `stop` returned true; unsupported: DuckDB is
// not installed; unavailable: the system has no process left.
Result<SqlAnswer> query_profile(const Profile& profile, const std::string& sql, const SqlLimits& limits,
                                std::span<const SqlParameter> parameters = {});

// Checks one SELECT without a profile: it is
// prepared on tables without rows. Also true when
// that takes longer than a second. Errors as above.
Result<bool> check_statement(const std::string& sql, SqlLimits limits);

// One of several profiles: the names that distinguish it, and a function that opens it.
struct SqlSource {
  std::vector<std::string> names;
  std::function<Result<std::shared_ptr<const Profile>>()> open;
};

// The same statement on each profile, with all answers in one table. Its first columns, `name_columns`, contain the names of
// the profiles.
// The limits are for all together.
Result<SqlAnswer> query_profiles(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                                 const std::string& sql, const SqlLimits& limits);

}  // namespace sightline::sql
