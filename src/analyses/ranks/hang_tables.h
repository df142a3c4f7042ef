// The tables of the view Hangs.
#pragma once

#include <vector>

#include "analyses/ranks/stuck_groups.h"
#include "model/report.h"

namespace sightline::analyses {

// What is stuck, and the rows of the tables.
struct Hangs {
  std::vector<StuckGroup> groups;
  Time last = kUnknown;               // of all times in the records
  std::vector<std::int64_t> files{};  // ranks that have one
};
Hangs find_hangs(const Profile& profile);

// "tp (2)"; "2" without a description.
std::string group_title(const Profile& profile, const StuckGroup& group);

// Where a rank is that never called a collective: in another one, or after its last call.
Message whereabouts(const Profile& profile, const Hangs& hangs, std::int64_t rank);

// The last call of a rank in any group; kNoRow: it has no record.
Row last_call_of(const Profile& profile, std::int64_t rank);

ReportTable groups_table(const Profile& profile, const Hangs& hangs);
ReportTable stuck_ranks_table(const Profile& profile, const Hangs& hangs);
ReportTable differences_table(const Profile& profile, const Hangs& hangs);
ReportTable stacks_table(const Profile& profile, const Hangs& hangs);
ReportTable pending_transfers_table(const Profile& profile);
std::vector<ReportTable> hang_tables();

}  // namespace sightline::analyses
