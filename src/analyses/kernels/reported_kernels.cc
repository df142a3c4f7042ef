// Kernels of which the file states only sums by type and core.
#include <algorithm>
#include <numeric>

#include "analyses/kernels/kernel_tables.h"
#include "analyses/search.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kStated = "the file's own sums by type and core";

std::vector<Row> kernel_rows(const Profile& profile) {
  std::vector<Row> rows;
  for (Row i = 0; i < profile.reported_calls.rows(); ++i) {
    if (profile.reported_calls.kind[i] == SliceKind::kernel) rows.push_back(i);
  }
  return rows;
}

Time known(Time time) { return time == kUnknown ? 0 : time; }

// Of rows of reported_calls, and the total of all.
using ReportedTable = TableOf<Row, Profile, Time>;

ReportedTable reported_calls_by_type() {
  ReportedTable table({.key = "reported_kernels", .title = "Kernels by type, as the file sums them", .sort_column = "total"});
  table.add(label_column("type", "Type", "Kind of work, as the file names it"),
            [](const Profile& p, Time, Row row) { return p.reported_calls.name[row]; });
  table.add(core_column(), [](const Profile& p, Time, Row row) { return p.reported_calls.part[row]; });
  table.add(integer_column("calls", "Calls", Unit::count, {"Number of kernels of this type on this kind of core.", "", kStated}),
            [](const Profile& p, Time, Row row) { return p.reported_calls.calls[row]; });
  table.add(integer_column("total", "Total", Unit::ns, {"Time of all of them.", "none: as stated", kStated}).with_bar("share"),
            [](const Profile& p, Time, Row row) { return p.reported_calls.total[row]; });
  table.add(
      real_column("share", "Share", Unit::share, {"Share of the time of all kernels.", "total / sum of the totals", kStated}),
      [](const Profile& p, Time all, Row row) { return quotient(p.reported_calls.total[row], all); });
  table.add(real_column("mean", "Mean", Unit::ns, {"Average time of one.", "total / calls", kStated}),
            [](const Profile& p, Time, Row row) {
              return quotient(p.reported_calls.total[row], std::max<std::int64_t>(0, p.reported_calls.calls[row]));
            });
  table.add(integer_column("max", "Max", Unit::ns, {"The longest.", "none: as stated", kStated}),
            [](const Profile& p, Time, Row row) { return p.reported_calls.longest[row]; });
  table.add(integer_column("min", "Min", Unit::ns, {"The shortest.", "none: as stated", kStated}),
            [](const Profile& p, Time, Row row) { return p.reported_calls.shortest[row]; });
  return table;
}

}  // namespace

bool has_reported_kernels(const Profile& profile) { return !kernel_rows(profile).empty(); }

ReportTable blank_reported_kernels() { return reported_calls_by_type().blank(); }

ReportTable reported_kernels(const Profile& profile, std::string_view search) {
  const ReportedCalls& calls = profile.reported_calls;
  std::vector<Row> rows = kernel_rows(profile);
  std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return calls.total[a] > calls.total[b]; });
  const Time all =
      std::accumulate(rows.begin(), rows.end(), Time{0}, [&](Time sum, Row row) { return sum + known(calls.total[row]); });
  std::erase_if(rows, [&](Row row) { return !contains_text(profile.text(calls.name[row]), search); });
  return reported_calls_by_type().of(profile, all, rows);
}

std::vector<CoreTime> reported_cores(const Profile& profile) {
  const ReportedCalls& calls = profile.reported_calls;
  std::vector<CoreTime> cores;
  for (const Row row : kernel_rows(profile)) {
    auto at = std::find_if(cores.begin(), cores.end(), [&](const CoreTime& core) { return core.core == calls.part[row]; });
    if (at == cores.end()) at = cores.insert(at, CoreTime{calls.part[row]});
    at->calls += std::max<std::int64_t>(0, calls.calls[row]);
    at->total += known(calls.total[row]);
  }
  std::stable_sort(cores.begin(), cores.end(), [](const auto& a, const auto& b) { return a.total > b.total; });
  return cores;
}

}  // namespace sightline::analyses
