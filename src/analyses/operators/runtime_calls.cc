// Runtime calls: which calls of the driver, the runtime and the libraries around them took the host's time, by name.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kHostCalls = "runtime and driver calls of the host threads";

struct CallSums {
  std::int64_t calls = 0;
  std::int64_t launched = 0;
  Time total = 0;
  Time self = 0;
  Time longest = 0;
  Time shortest = 0;
  Row slice = kNoRow;  // the longest, the first of equals
};

struct CallGroups {
  GroupIndex<1> names;
  std::vector<CallSums> sums;
};

bool is_call(const Profile& profile, Row slice) { return slice != kNoRow && profile.slices.kind[slice] == SliceKind::runtime; }

CallGroups group_calls(const Profile& profile, const std::optional<StepWindow>& step) {
  CallGroups groups;
  const Slices& slices = profile.slices;
  const auto in_scope = [&](Row slice) { return is_call(profile, slice) && (!step || starts_in(*step, slices.start[slice])); };
  const auto group_of = [&](Row slice) { return groups.names.number_of({static_cast<std::uint32_t>(slices.name[slice])}); };
  for (Row slice = 0; slice < slices.rows(); ++slice) {
    if (!in_scope(slice)) continue;
    const std::uint32_t group = group_of(slice);
    if (group == groups.sums.size()) groups.sums.emplace_back();
    CallSums& sums = groups.sums[group];
    const Time duration = slices.duration[slice];
    sums.shortest = sums.calls == 0 ? duration : std::min(sums.shortest, duration);
    if (sums.calls == 0 || duration > sums.longest) sums.slice = slice;
    sums.longest = std::max(sums.longest, duration);
    sums.total += duration;
    sums.self += duration;
    ++sums.calls;
    if (in_scope(slices.parent[slice])) groups.sums[group_of(slices.parent[slice])].self -= duration;
  }
  for (const Row launch : profile.device_work.launch) {
    if (launch == kNoRow || !in_scope(profile.launches.slice[launch])) continue;
    ++groups.sums[group_of(profile.launches.slice[launch])].launched;
  }
  return groups;
}

// A row: the calls of one name, as the trace or the file's own sums have them.
struct CallRow {
  StringId name;
  StringId layer;  // of the file's own sums
  CallSums sums;
  Time all;  // that shares are of
};

TableOf<CallRow, Profile> runtime_call_table(bool timed) {
  TableOf<CallRow, Profile> table({.key = "calls", .title = "Runtime calls", .sort_column = timed ? "self" : "total"});
  table.add(label_column("name", "Name", "Name of the call"), &CallRow::name);
  if (!timed)
    table.add(text_column("layer", "Layer", "Layer of software that it belongs to, as the file names it"), &CallRow::layer);
  table.add(integer_column("calls", "Calls", Unit::count, {"How often it was called.", "number of calls", kHostCalls}),
            [](const CallRow& row) { return row.sums.calls; });
  table.add(integer_column("total", "Total", Unit::ns, {"Time in it, including calls inside it.", "sum of durations", kHostCalls})
                .with_bar(timed ? "" : "share"),
            [](const CallRow& row) { return row.sums.total; });
  if (timed) {
    table.add(integer_column("self", "Self", Unit::ns,
                             {"Time in it, excluding calls inside it.",
                              "sum of durations - durations of the runtime calls right inside them", kHostCalls})
                  .with_bar("share"),
              [](const CallRow& row) { return row.sums.self; });
  }
  table.add(real_column("share", "Share", Unit::share,
                        {timed ? "Share of the self time of all calls."
                               : "Share of the sum of all totals, in which calls inside other calls count twice.",
                         timed ? "self / sum of self" : "total / sum of totals", kHostCalls})
                .with_sums(),
            [](const CallRow& row) { return quotient(row.sums.self, row.all); });
  table.add(real_column("mean", "Mean", Unit::ns, {"Average time of a call.", "total / calls", kHostCalls}),
            [](const CallRow& row) { return quotient(row.sums.total, std::max<std::int64_t>(0, row.sums.calls)); });
  table.add(integer_column("max", "Max", Unit::ns, {"Longest call.", "largest duration", kHostCalls}),
            [](const CallRow& row) { return row.sums.longest; });
  table.add(integer_column("min", "Min", Unit::ns, {"Shortest call.", "smallest duration", kHostCalls}),
            [](const CallRow& row) { return row.sums.shortest; });
  if (timed) {
    table.add(integer_column("launched", "Launched", Unit::count,
                             {"Device work that it enqueued.", "number of kernels, copies, fills and collectives", "launches"}),
              [](const CallRow& row) { return row.sums.launched; });
    table.add(longest_slice_column("call"), [](const CallRow& row) { return row.sums.slice; });
  }
  return table;
}

std::vector<CallRow> timed_rows(const CallGroups& groups) {
  const Time all = std::accumulate(groups.sums.begin(), groups.sums.end(), Time{0},
                                   [](Time sum, const CallSums& of) { return sum + of.self; });
  std::vector<CallRow> rows;
  for (std::size_t group = 0; group < groups.sums.size(); ++group)
    rows.push_back({groups.names.text(group, 0), StringId::none, groups.sums[group], all});
  return rows;
}

bool is_reported(const Profile& profile, Row row) { return profile.reported_calls.kind[row] == SliceKind::runtime; }

// The sums that the file states; it does not state how calls are nested.
std::vector<CallRow> reported_rows(const Profile& profile) {
  const ReportedCalls& calls = profile.reported_calls;
  std::vector<CallRow> rows;
  Time all = 0;
  for (Row row = 0; row < calls.rows(); ++row) {
    if (!is_reported(profile, row)) continue;
    const CallSums sums{.calls = calls.calls[row],
                        .total = calls.total[row],
                        .self = calls.total[row],
                        .longest = calls.longest[row],
                        .shortest = calls.shortest[row]};
    rows.push_back({calls.name[row], calls.part[row], sums, 0});
    if (sums.total != kUnknown) all += sums.total;
  }
  for (CallRow& row : rows) row.all = all;
  return rows;
}

// Those that match the search, the longest first.
ReportTable calls_table(const Profile& profile, std::vector<CallRow> rows, const std::string& search, bool timed) {
  sort_down(rows, [](const CallRow& each) { return each.sums.self; });
  std::erase_if(rows, [&](const CallRow& row) { return !contains_text(profile.text(row.name), search); });
  ReportTable table = runtime_call_table(timed).of(profile, rows);
  if (timed) table.row_links = timeline_links();
  return table;
}

bool has_calls(const Profile& profile) {
  const auto& kinds = profile.slices.kind;
  return std::find(kinds.begin(), kinds.end(), SliceKind::runtime) != kinds.end();
}

Result<Report> run_runtime_calls(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const auto step = chosen_step(input.profiles.front(), input.parameters.text("step"));
  if (!step) return step.error();
  const std::string& search = input.parameters.text("search");
  Report report{.view = "runtime_calls", .title = "Runtime calls"};
  report.parameters.push_back(step_parameter(input.profiles.front(), input.parameters));
  const bool timed = has_calls(profile);
  if (timed) {
    const CallGroups groups = group_calls(profile, *step);
    std::int64_t calls = 0;
    for (const CallSums& sums : groups.sums) calls += sums.calls;
    report.scope =
        say("{} by {}", count_words(calls, "{} call", "{} calls"), count_words(std::ssize(groups.sums), "{} name", "{} names"));
    if (*step) report.scope = say("{}, step {}", report.scope, (*step)->number);
    report.tables.push_back(calls_table(profile, timed_rows(groups), search, true));
  } else {
    report.notes.push_back({Note::Level::warning, "The file has only sums, no single calls."});
    report.tables.push_back(calls_table(profile, reported_rows(profile), search, false));
  }
  const std::string value = timed ? "self" : "total";
  const int top = static_cast<int>(input.parameters.integer("top"));
  Panel chart{.id = "time",
              .title = "Time in runtime calls",
              .content = BreakdownChart{.table = "calls", .label = "name", .value = value, .top = top}};
  chart.doc = report.tables.front().find(value)->doc;
  Panel table{.id = "calls", .title = "Runtime calls", .content = PlainTable{"calls"}};
  for (Panel* panel : {&chart, &table}) {
    panel->empty = "No call matches.";
    report.panels.push_back(std::move(*panel));
  }
  return report;
}

std::optional<Message> runtime_calls_unavailable(const Profile& profile) {
  bool stated = false;
  for (Row row = 0; row < profile.reported_calls.rows(); ++row) stated |= is_reported(profile, row);
  if (stated || has_calls(profile)) return std::nullopt;
  return "no calls of a device's runtime in this profile: they are recorded together with host and device activity";
}

std::vector<ReportTable> runtime_calls_tables() { return {runtime_call_table(true).blank()}; }

}  // namespace

Analysis runtime_calls_analysis() {
  return {.id = "runtime_calls",
          .title = "Runtime calls",
          .group = ViewGroup::where_time_went,
          .doc = "Which calls of the runtime and the driver took the host's time.",
          .parameters = {{"search", "Search", ParameterType::text, "", {}, "Part of the call's name, in any letter case"},
                         {"step",
                          "Step",
                          ParameterType::text,
                          "",
                          {},
                          "Only calls that start inside the host range of the step of this number"},
                         {"top", "Top", ParameterType::integer, "10", {}, "How many calls the chart shows before the rest"}},
          .unavailable = runtime_calls_unavailable,
          .run = run_runtime_calls,
          .tables = runtime_calls_tables};
}

}  // namespace sightline::analyses
