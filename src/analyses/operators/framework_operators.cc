// Framework operators: which operators of the framework took the time of compiled programs, by device and core.
#include <algorithm>
#include <set>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/programs/program_columns.h"
#include "analyses/search.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline {

namespace {

struct FrameworkGroup {
  StringId name = StringId::none;  // of the framework's operator
  WorkPlace place;
  WorkSums sums;
  std::set<Row> operators{};  // of programs, that it was compiled to
  Row whole = kNoRow;         // row of program_operators, when the file states it as a whole
};

// The runs that the view is about, on any device. Where the file states framework operators as a whole, those of programs
// were made from the same time and do not count again.
std::vector<OperatorRun> runs_in_scope(const Profile& profile, const ProgramChoice& choice, std::string_view search) {
  const auto whole = [&](const OperatorRun& run) { return is_whole_framework_operator(profile, run.program_operator); };
  const bool any_whole = std::any_of(choice.runs->begin(), choice.runs->end(), whole);
  std::vector<OperatorRun> runs;
  for (const OperatorRun& run : *choice.runs) {
    const std::string_view name = profile.text(profile.program_operators.framework_operator[run.program_operator]);
    if (whole(run) == any_whole && contains_text(name, search)) runs.push_back(run);
  }
  return runs;
}

// By framework operator and place, the longest first.
std::vector<FrameworkGroup> group_runs(const Profile& profile, const std::vector<OperatorRun>& runs,
                                       const ProgramChoice& choice) {
  std::vector<FrameworkGroup> groups;
  GroupIndex<4> keys;  // name, device (two halves), core
  for (const OperatorRun& run : runs) {
    if (!choice.shows(run.place)) continue;
    const StringId name = profile.program_operators.framework_operator[run.program_operator];
    const auto device = static_cast<std::uint64_t>(run.place.device);
    const std::uint32_t at = keys.number_of({static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(device >> 32),
                                             static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(run.place.core)});
    if (at == groups.size()) groups.push_back({name, run.place, {}});
    groups[at].sums.add(run.sums);
    if (is_whole_framework_operator(profile, run.program_operator)) {
      groups[at].whole = run.program_operator;
    } else {
      groups[at].operators.insert(run.program_operator);
    }
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const FrameworkGroup& a, const FrameworkGroup& b) { return a.sums.time > b.sums.time; });
  return groups;
}

ReportColumn name_column() {
  ReportColumn column = label_column("name", "Framework operator", "Path of the operator in the framework's program");
  column.unknown = "the compiler does not say what it was made from";
  return column;
}

ReportTable blank_framework_operators(const DeviceWords& words = {}) {
  ReportTable table{.key = "framework_operators", .title = "Framework operators"};
  table.columns.push_back(name_column());
  table.columns.push_back(fused_column());
  table.columns.back().unknown = "see the HLO operators that it became";
  std::vector<ReportColumn> work = work_columns();
  std::vector<ReportColumn> place = place_columns(words);
  std::move(work.begin(), work.begin() + 1, std::back_inserter(table.columns));
  std::move(place.begin(), place.end(), std::back_inserter(table.columns));
  std::move(work.begin() + 1, work.end(), std::back_inserter(table.columns));
  table.columns.push_back(integer_column("operators", "HLO operators", Unit::count,
                                         {"Operators of the compiled program that it became.",
                                          "number of different operators that ran", "the compiler, for each operator"}));
  table.columns.back().unknown = "the file states the framework's operator as a whole";
  table.columns.push_back(longest_slice_column("execution"));
  table.columns.push_back(flag_column("named", "Named", {"Whether it is known which operator it is", "", ""}));
  table.columns.back().hidden = true;
  add_detail_columns(table.columns);
  table.sort_column = "time";
  return table;
}

void add_links(ReportTable& table, bool has_operators, const Parameters& given) {
  if (has_operators) {
    table.row_links.push_back({.title = "HLO operators of this operator",
                               .view = "program_operators",
                               .parameters = {{"framework", "$name"},
                                              {"device", given.text("device")},
                                              {"times", given.text("times")},
                                              {"step", given.text("step")}},
                               .when = "named"});
  }
}

// The operators of all places together, for the chart.
ReportTable blank_framework_shares() {
  ReportTable table{.key = "shares", .title = "Time by operator"};
  table.columns.push_back(name_column());
  std::vector<ReportColumn> work = work_columns();
  std::move(work.begin() + 1, work.begin() + 3, std::back_inserter(table.columns));
  table.sort_column = "time";
  return table;
}

ReportTable shares_table(const Profile& profile, const std::vector<FrameworkGroup>& groups, Time all) {
  GroupIndex<1> names;
  std::vector<Time> times;
  for (const FrameworkGroup& group : groups) {
    const std::uint32_t at = names.number_of({static_cast<std::uint32_t>(group.name)});
    if (at == times.size()) times.push_back(0);
    times[at] += group.sums.time;
  }
  ReportTable table = blank_framework_shares();
  for (std::size_t i = 0; i < times.size(); ++i) {
    table.add_row({cell(profile.text(names.text(i, 0))), Cell{times[i]}, share_cell(times[i], all)});
  }
  return table;
}

Result<Report> run_framework_operators(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  Report report{.view = "framework_operators", .title = "Framework operators"};
  const auto choice = choose_runs(report, profile, given);
  if (!choice) return choice.error();
  const std::vector<OperatorRun> in_scope = runs_in_scope(*profile, *choice, given.text("search"));
  const std::vector<FrameworkGroup> groups = group_runs(*profile, in_scope, *choice);
  Time all = 0;
  for (const FrameworkGroup& group : groups) all += group.sums.time;

  ReportTable table = blank_framework_operators(device_words(*profile));
  const std::vector<std::int64_t> fused = fused_counts(*profile);
  for (const FrameworkGroup& group : groups) {
    const WorkSums& sums = group.sums;
    std::vector<Cell> cells{cell(profile->text(group.name))}, work;
    cells.push_back(group.whole == kNoRow ? Cell{} : Cell{fused[group.whole]});
    append_work_cells(work, sums, all);
    cells.push_back(work.front());
    append_place_cells(cells, *profile, group.place);
    std::move(work.begin() + 1, work.end(), std::back_inserter(cells));
    cells.push_back(group.operators.empty() ? Cell{} : Cell{std::ssize(group.operators)});
    cells.push_back(sums.longest_slice == kNoRow ? Cell{} : Cell{std::int64_t{sums.longest_slice}});
    cells.emplace_back(group.name != StringId::none);
    append_detail_cells(cells, group.whole, fused);
    table.add_row(std::move(cells));
  }
  const bool has_operators =
      std::any_of(groups.begin(), groups.end(), [](const FrameworkGroup& group) { return !group.operators.empty(); });
  add_links(table, has_operators, given);
  table.row_detail = fused_detail(given);
  if (!choice->stated) table.row_links.push_back(timeline_links().front());
  hide_plain_total(table);
  ReportTable shares = shares_table(*profile, groups, all);
  report.scope = with_step(count_words(static_cast<std::int64_t>(shares.rows()), "{} operator", "{} operators"), given);
  report.tables.push_back(std::move(table));
  report.tables.push_back(std::move(shares));

  const int top = static_cast<int>(given.integer("top"));
  add_places(report, *profile, in_scope, report.view,
             {{"search", given.text("search")}, {"times", given.text("times")}, {"step", given.text("step")}});
  report.panels.push_back(work_donut(report, "shares", "Time by operator", top));
  Panel panel{.kind = PanelKind::table, .id = "operators", .title = "Framework operators", .table = "framework_operators"};
  panel.empty = "No operator matches.";
  report.panels.push_back(std::move(panel));
  return report;
}

// Whether any operator that ran says what it was made from.
std::optional<std::string> framework_operators_unavailable(const Profile& profile) {
  const auto& names = profile.program_operators.framework_operator;
  const auto named = [&](Row of) { return names[of] != StringId::none; };
  const auto& slices = profile.program_work.program_operator;
  const auto& sums = profile.reported_program_work.program_operator;
  if (std::any_of(slices.begin(), slices.end(), named) || std::any_of(sums.begin(), sums.end(), named)) return std::nullopt;
  return "no operators of a compiled program with a known framework operator";
}

std::vector<ReportTable> framework_operators_tables() {
  return {blank_framework_operators(), blank_framework_shares(), blank_place_table()};
}

}  // namespace

Analysis framework_operators_analysis() {
  return {.id = "framework_operators",
          .title = "Framework operators",
          .group = ViewGroup::where_time_went,
          .doc = "Which operators of the framework took the time of compiled programs, on which device and core.",
          .parameters = program_parameters(),
          .unavailable = framework_operators_unavailable,
          .run = run_framework_operators,
          .tables = framework_operators_tables};
}

}  // namespace sightline
