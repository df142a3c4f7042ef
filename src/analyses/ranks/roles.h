// The roles of a job that trains by reinforcement learning, such as actor and critic: what each of them did, and when.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyses/ranks/distributed_tables.h"

namespace sightline::analyses {

// By name; without roles, one that is empty.
std::vector<std::string> roles_of(std::span<const RankSummaryPtr> ranks);
bool has_roles(std::span<const RankSummaryPtr> ranks);
ReportColumn role_column();

// Empty without roles. `clocks`: of the ranks.
ReportTable blank_roles();
ReportTable roles_table(const Distributed& all, std::span<const RankClock> clocks);

}  // namespace sightline::analyses
