#include "fleet/topology.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/text.h"

namespace sightline::fleet {

namespace {

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    std::string_view cell = trimmed(line.substr(at, end - at));
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.push_back(to_utf8(cell));
    at = end + 1;
  }
  return cells;
}

}  // namespace

Result<Topology> parse_topology(const std::string& csv, const std::string& where) {
  Topology topology;
  std::vector<std::string> titles;
  std::size_t number = 0;
  for (std::size_t at = 0; at < csv.size();) {
    const std::size_t end = std::min(csv.find('\n', at), csv.size());
    const std::string_view line = trimmed(std::string_view(csv).substr(at, end - at));
    at = end + 1;
    ++number;
    if (line.empty()) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (titles.empty()) {
      titles = cells;
      continue;
    }
    if (cells.size() != titles.size())
      return Error{ErrorCode::malformed, say("line {} has another number of cells than the titles", std::to_string(number)),
                   where};
    std::string host;
    HostPlace place;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (titles[i] == "host") host = cells[i];
      if (titles[i] == "rack") place.rack = cells[i];
      if (titles[i] == "switch") place.network_switch = cells[i];
    }
    if (!host.empty()) topology[host] = place;
  }
  if (topology.empty())
    return Error{ErrorCode::malformed, "no column `host` with names: write host,rack,switch in the first line", where};
  return topology;
}

}  // namespace sightline::fleet
