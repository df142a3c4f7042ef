// Where each host is: a table with the columns host, rack and switch, as a site keeps it.
#pragma once

#include <map>
#include <string>

#include "base/result.h"

namespace sightline::fleet {

struct HostPlace {
  std::string rack, network_switch;  // empty: unknown
};
using Topology = std::map<std::string, HostPlace>;  // by host

// CSV with a line of titles: `host`, and `rack` or `switch` or both, in any order; other columns are skipped. malformed: the
// error names the line.
Result<Topology> parse_topology(const std::string& csv, const std::string& where);

}  // namespace sightline::fleet
