// Scenarios as texts; analyses/whatif/scenario.cc reads them.
#include "analyses/advice/worth.h"

#include <algorithm>
#include <set>

namespace sightline::analyses {

std::string change_of_names(const Profile& profile, std::string_view group, const std::vector<StringId>& names,
                            std::string_view action) {
  std::string change;
  std::set<StringId> seen;
  for (const StringId name : names) {
    const std::string_view text = profile.text(name);
    if (!seen.insert(name).second) continue;
    if (text.empty() || text.find('"') != text.npos || seen.size() > kMostNames) return {};
    if (!change.empty()) change += "; ";
    change.append(group).append(":\"").append(text).append("\"").append(action);
  }
  return change;
}

bool can_change(const Profile& p, std::string_view change) {
  const auto works_of = [&](SliceKind kind) {
    return std::any_of(p.device_work.slice.begin(), p.device_work.slice.end(),
                       [&](Row slice) { return p.slices.kind[slice] == kind; });
  };
  if (change.starts_with("category:communication")) return works_of(SliceKind::collective);
  if (change.starts_with("category:copy")) return works_of(SliceKind::memcpy);
  if (change == "one-graph" || change == "no-sync" || change.starts_with("host*")) return p.launches.rows() > 0;
  return true;
}

}  // namespace sightline::analyses
