#include "analyses/ranks/roles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "analyses/columns.h"

namespace sightline::analyses {

namespace {

struct RoleRow {
  std::string role;
  std::int64_t ranks = 0;
  double start = kUnknownNumber, end = kUnknownNumber;  // of its work, from the first work of any role
  double absent = kUnknownNumber;
  double computing = 0, communication = 0, waiting = 0, other = 0;  // means over its ranks that have steps
};

TableOf<RoleRow> role_rows() {
  constexpr std::string_view kOnAxis = "the activity of its ranks, by the clocks of the ranks; see Clocks of the ranks";
  constexpr std::string_view kSums = "sums over the steps of a rank, mean over the ranks of the role";
  constexpr std::string_view kNoClock = "times of the roles cannot be compared: see Clocks of the ranks";
  TableOf<RoleRow> table({.key = "roles", .title = "Roles"});
  table.add(label_column("role", "Role", "Name of the folder"), &RoleRow::role);
  table.add(integer_column("ranks", "Ranks", Unit::count, {"Ranks of the role", "", "the traces in its folder"}),
            &RoleRow::ranks);
  table.add(
      real_column("start", "Begins work", Unit::ns,
                  {"When its first rank begins to work, from the first work of any role.", "min over its ranks", kOnAxis, kNew})
          .with_unknown(kNoClock),
      &RoleRow::start);
  table.add(
      real_column("end", "Ends work", Unit::ns,
                  {"When its last rank ends its work, from the first work of any role.", "max over its ranks", kOnAxis, kNew})
          .with_unknown(kNoClock),
      &RoleRow::end);
  table.add(real_column("absent", "Not recorded", Unit::ns,
                        {"Time in which some role was recorded, but this one was not: it had not begun, or had ended.",
                         "last end of any role - first begin of any role - (end - begin)", kOnAxis, kNew})
                .with_unknown(kNoClock),
            &RoleRow::absent);
  table.add(real_column("computing", "Computing", Unit::ns, {"A rank computes.", "computation + overlap", kSums, kNew})
                .with_category("kernel"),
            &RoleRow::computing);
  table.add(real_column("communication", "Communication", Unit::ns,
                        {"A rank only communicates, waits included.", "communication", kSums, kNew})
                .with_category("communication"),
            &RoleRow::communication);
  table.add(
      real_column("waiting", "Synchronizing", Unit::ns,
                  {"A rank waits in collectives for other ranks of its role, also while it computes.", "waiting", kSums, kNew})
          .with_unknown("no collective of the role is known on two ranks"),
      &RoleRow::waiting);
  table.add(real_column("other", "Other", Unit::ns,
                        {"Neither: a rank idles, copies, or waits for its host or for another role.", "other", kSums, kNew})
                .with_category("other"),
            &RoleRow::other);
  return table;
}

// Means over the ranks of the role that have steps.
void add_times(const Distributed& all, RoleRow& row) {
  double timed = 0;
  bool knows_waits = false;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankSummary& rank = *all.ranks[i];
    if (rank.role != row.role) continue;
    ++row.ranks;
    double total = 0;
    for (std::size_t step = 0; step < rank.steps.size(); ++step) {
      if (all.step && rank.steps[step].number != *all.step) continue;
      const RankTimes& times = all.times[i].steps[step];
      row.computing += times.computation + times.overlap;
      row.communication += times.communication;
      row.waiting += times.waiting;
      row.other += times.other;
      total += times.total;
      knows_waits = knows_waits || times.waiting + times.transfer > 0;
    }
    if (total > 0) ++timed;
  }
  for (double* part : {&row.computing, &row.communication, &row.waiting, &row.other}) *part /= timed;  // NaN without steps
  if (!knows_waits) row.waiting = kUnknownNumber;
}

constexpr Interval kNothing{std::numeric_limits<Time>::max(), std::numeric_limits<Time>::min()};

Interval around(const Interval& a, const Interval& b) { return {std::min(a.start, b.start), std::max(a.end, b.end)}; }

// From the first to the last activity of the role's ranks, on the axis of all ranks; nullopt: it cannot be compared with others.
std::optional<Interval> extent_of(const Distributed& all, std::span<const RankClock> clocks, const std::string& role) {
  Interval extent = kNothing;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    if (all.ranks[i]->role != role) continue;
    if (!clocks[i].is_known()) return std::nullopt;
    const Interval own = all.ranks[i]->activity.extent();
    if (own.length() > 0) extent = around(extent, {clocks[i].on_axis(own.start), clocks[i].on_axis(own.end)});
  }
  return extent.start < extent.end ? std::optional(extent) : std::nullopt;
}

// Nothing unless the times of all roles can be compared.
void add_extents(const Distributed& all, std::span<const RankClock> clocks, std::vector<RoleRow>& rows) {
  std::vector<Interval> extents;
  Interval job = kNothing;
  for (const RoleRow& row : rows) {
    const std::optional<Interval> extent = extent_of(all, clocks, row.role);
    if (!extent) return;
    extents.push_back(*extent);
    job = around(job, *extent);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].start = static_cast<double>(extents[i].start - job.start);
    rows[i].end = static_cast<double>(extents[i].end - job.start);
    rows[i].absent = static_cast<double>(job.length() - extents[i].length());
  }
}

}  // namespace

std::vector<std::string> roles_of(std::span<const RankSummaryPtr> ranks) {
  std::set<std::string> roles;
  for (const RankSummaryPtr& rank : ranks) roles.insert(rank->role);
  return {roles.begin(), roles.end()};
}

bool has_roles(std::span<const RankSummaryPtr> ranks) {
  return std::any_of(ranks.begin(), ranks.end(), [](const RankSummaryPtr& rank) { return !rank->role.empty(); });
}

ReportColumn role_column() {
  return code_column("role", "Role", "In a job whose folders are roles, such as actor and critic: the name of its folder")
      .with_unknown("the folders name no roles");
}

ReportTable blank_roles() { return role_rows().blank(); }

ReportTable roles_table(const Distributed& all, std::span<const RankClock> clocks) {
  std::vector<RoleRow> rows;
  for (const std::string& role : roles_of(all.ranks)) rows.push_back({.role = role});
  if (rows.size() < 2) return blank_roles();
  for (RoleRow& row : rows) add_times(all, row);
  add_extents(all, clocks, rows);
  return role_rows().of(rows);
}

}  // namespace sightline::analyses
