// SQL over the tables of one profile, or of several one by one. The text is not trusted: it can read these tables and nothing
// else, and it is stopped when it takes too long or too much.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline {

struct SqlLimits {
  std::size_t rows = 10'000;        // of the answer; 0: all
  double seconds = 30;              // 0: as long as it takes
  std::function<bool()> stop = {};  // asked now and then; true ends the query
};

struct SqlAnswer {
  ReportTable table;  // key `result`; a column of the profile keeps its unit and meaning, others may name theirs: total_ns
  bool more = false;  // there are more rows than the limit
  double seconds = 0;
};

// One SELECT. invalid_argument: the text is wrong (`where` is its place, such as "line 1, column 8"), or too much was asked;
// cancelled: `stop` said so.
Result<SqlAnswer> query_profile(const Profile& profile, const std::string& sql, const SqlLimits& limits);

// One of several profiles: what tells it from the others, and how it is had when its turn comes.
struct SqlSource {
  std::vector<std::string> names;
  std::function<Result<std::shared_ptr<const Profile>>()> open;
};

// The same statement on each profile, and all answers as one table, behind columns called `name_columns` with each profile's
// names. The limits are those of all together.
Result<SqlAnswer> query_profiles(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                                 const std::string& sql, const SqlLimits& limits);

}  // namespace sightline
