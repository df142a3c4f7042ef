// Kernels of which the file states only sums by type and core.
#include <algorithm>
#include <numeric>

#include "analyses/kernels/kernel_tables.h"
#include "analyses/search.h"

namespace sightline {

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

}  // namespace

bool has_reported_kernels(const Profile& profile) { return !kernel_rows(profile).empty(); }

ReportTable blank_reported_kernels() {
  ReportTable table{.key = "reported_kernels", .title = "Kernels by type, as the file sums them"};
  table.columns = {
      label_column("type", "Type", "Kind of work, as the file names it"),
      core_column(),
      integer_column("calls", "Calls", Unit::count, {"How often kernels of the type ran on such a core.", "", kStated}),
      integer_column("total", "Total", Unit::ns, {"Time of all of them.", "none: as stated", kStated}),
      real_column("share", "Share", Unit::share, {"Its part of the time of all kernels.", "total / sum of the totals", kStated}),
      real_column("mean", "Mean", Unit::ns, {"Average time of one.", "total / calls", kStated}),
      integer_column("max", "Max", Unit::ns, {"The longest.", "none: as stated", kStated}),
      integer_column("min", "Min", Unit::ns, {"The shortest.", "none: as stated", kStated})};
  table.columns[3].bar = "share";
  table.sort_column = "total";
  return table;
}

ReportTable reported_kernels(const Profile& profile, std::string_view search) {
  const ReportedCalls& calls = profile.reported_calls;
  std::vector<Row> rows = kernel_rows(profile);
  std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return calls.total[a] > calls.total[b]; });
  const Time all =
      std::accumulate(rows.begin(), rows.end(), Time{0}, [&](Time sum, Row row) { return sum + known(calls.total[row]); });
  ReportTable table = blank_reported_kernels();
  for (const Row row : rows) {
    if (!contains_text(profile.text(calls.name[row]), search)) continue;
    const bool whole = calls.total[row] != kUnknown && calls.calls[row] != kUnknown && calls.calls[row] > 0;
    table.add_row({cell(profile.text(calls.name[row])), cell(profile.text(calls.part[row])), cell(calls.calls[row]),
                   cell(calls.total[row]), calls.total[row] == kUnknown ? Cell{} : share_cell(calls.total[row], all),
                   whole ? Cell{static_cast<double>(calls.total[row]) / static_cast<double>(calls.calls[row])} : Cell{},
                   cell(calls.longest[row]), cell(calls.shortest[row])});
  }
  return table;
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

}  // namespace sightline
