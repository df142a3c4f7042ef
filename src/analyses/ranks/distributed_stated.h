// Tables of the view across ranks that show what the files themselves state of steps, collectives and links.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyses/ranks/distributed_tables.h"

namespace sightline::analyses {

// The mean of a worker's stated figures over its stated steps, ns; NaN if nothing is stated.
struct StatedTimes {
  double computation, overlap, communication, free;         // computing alone, both, communicating alone, neither
  double elapsed, transit, synchronization, waiting, idle;  // of collectives; waiting: without synchronization
  std::int64_t steps = 0;

  double step() const { return computation + overlap + communication + free; }
};
StatedTimes stated_times(const RankStated& stated, std::optional<std::int64_t> step);

ReportTable blank_stated();
ReportTable stated_table(const Distributed& all);

ReportTable blank_stated_operations();
ReportTable stated_operations_table(const Distributed& all);

ReportTable blank_links();
ReportTable links_table(const Distributed& all);

// The transfers from rank to rank, each route once, whichever rank states it.
struct Route {
  std::string group;  // empty: ranks are those of the job
  std::int64_t from = 0, to = 0;
  std::string transport;
  std::int64_t bytes = 0;
  Time duration = 0;
};
std::vector<Route> routes_of(const Distributed& all);

ReportTable blank_process_groups();
ReportTable process_groups_table(const Distributed& all);
ReportTable blank_routes();
ReportTable routes_table(const std::vector<Route>& routes);

// The groups that a map can show, "" for the ranks of the job: the one with most bytes first.
std::vector<std::string> route_groups(const std::vector<Route>& routes);

// All links between two ranks of one group together, those within a device left out.
ReportTable blank_route_map();
ReportTable route_map_table(const std::vector<Route>& routes, const std::string& group);

}  // namespace sightline::analyses
