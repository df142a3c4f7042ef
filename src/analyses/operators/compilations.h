// Compilations: what the log of the framework's compiler says of each compilation, beside the calls of its region.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "analyses/analysis.h"

namespace sightline::analyses {

// The calls of a region that were recorded.
struct RegionCalls {
  std::int64_t calls = 0;
  Time host = 0, device = 0;
};

// Adds the tables of compilations and of their files, if there is a log. `regions`: by the id in a region's name, "0/1".
void add_compilations(const Profile& profile, const std::map<std::string_view, RegionCalls>& regions, Report& report);

std::vector<ReportTable> compilation_tables();

}  // namespace sightline::analyses
