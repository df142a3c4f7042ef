// Limits on what may have grown from one run to another: "step_time>5%", "peak_memory>100MiB", "operator:aten::mm>2ms". They are
// checked against the tables of the report `diff`, so a limit is about the numbers that the page shows.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/report.h"
#include "model/unit.h"

namespace sightline::engine {

struct Limit {
  std::string text;    // as given
  std::string metric;  // "step_time", "operator:aten::mm"
  double most = 0;     // in `unit`, the most that it may grow by
  Unit unit = Unit::none;
};

// "METRIC>NUMBER" with %, a unit of time (ns, us, ms, s) or of bytes (B, KiB, MiB, GiB, KB, MB, GB), or none. An unknown metric,
// and a unit that is not the metric's, are invalid_argument errors as well, which list the metrics or name the unit.
Result<Limit> parse_limit(std::string_view text);

struct Verdict {
  bool exceeded = false;
  std::string text;  // "step_time>5%: exceeded: from 70 ns to 80 ns, +14.3%"
};

// REQUIRES: `limit` is parse_limit's. A metric of something that neither profile has is an invalid_argument error; an
// unknown value, or one that is not comparable, is an `unsupported` error with the reason.
Result<Verdict> judge(const Limit& limit, const Report& diff);

}  // namespace sightline::engine
