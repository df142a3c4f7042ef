// HLO operators: which operators of compiled programs took the time, as their compiler names them, by device and core.
#include <algorithm>
#include <set>
#include <utility>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/programs/program_columns.h"
#include "analyses/search.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline {

namespace {

// The runs that the view is about, on any device.
std::vector<OperatorRun> runs_in_scope(const Profile& profile, const ProgramChoice& choice, const Parameters& given) {
  const ProgramOperators& all = profile.program_operators;
  const auto is = [&](StringId text, std::string_view key) {
    const std::string& wanted = given.text(key);
    return wanted.empty() || profile.text(text) == wanted;
  };
  std::vector<OperatorRun> runs;
  for (const OperatorRun& run : *choice.runs) {
    const Row of = run.program_operator;
    if (is_whole_framework_operator(profile, of)) continue;
    if (is(all.program[of], "program") && is(all.framework_operator[of], "framework") && is(all.category[of], "category") &&
        contains_text(profile.text(all.name[of]), given.text("search"))) {
      runs.push_back(run);
    }
  }
  return runs;
}

ReportTable blank_program_operators(const DeviceWords& words = {}) {
  ReportTable table{.key = "program_operators", .title = "HLO operators"};
  table.columns.push_back(label_column("name", "Operator", "Name of the operator within its program"));
  table.columns.push_back(code_column("program", "Program", "Compiled program that it is part of"));
  table.columns.back().unknown = "the file does not state it";
  table.columns.push_back(
      code_column("program_id", "Program id", "Which program of that name: a recompiled program has another id"));
  table.columns.back().unknown = "the file does not state it";
  table.columns.push_back(fused_column());
  std::vector<ReportColumn> work = work_columns();
  std::vector<ReportColumn> place = place_columns(words);
  std::move(work.begin(), work.begin() + 1, std::back_inserter(table.columns));
  std::move(place.begin(), place.end(), std::back_inserter(table.columns));
  std::move(work.begin() + 1, work.end(), std::back_inserter(table.columns));
  add_about_columns(table.columns);
  table.columns.push_back(longest_slice_column("execution"));
  add_detail_columns(table.columns);
  table.sort_column = "time";
  return table;
}

// Time of the runs by a text of their operators, the longest first.
ReportTable blank_sums(std::string_view key, Message title, ReportColumn label) {
  ReportTable table{.key = std::string(key), .title = title};
  table.columns.push_back(std::move(label));
  std::vector<ReportColumn> work = work_columns();
  std::move(work.begin() + 1, work.begin() + 3, std::back_inserter(table.columns));
  table.sort_column = "time";
  return table;
}

ReportTable blank_shares() {
  return blank_sums("shares", "Time by operator", label_column("name", "Operator", "Name of the operator within its program"));
}

ReportTable blank_categories() {
  ReportColumn label = text_column("name", "Category", "Kind of operation, as the file or its compiler groups them");
  label.role = ColumnRole::label;
  label.unknown = "the file does not state it";
  return blank_sums("categories", "Time by category", std::move(label));
}

ReportTable sums_table(const Profile& profile, const std::vector<OperatorRun>& runs, const Column<StringId>& texts,
                       ReportTable table) {
  GroupIndex<1> keys;
  std::vector<Time> times;
  Time all = 0;
  for (const OperatorRun& run : runs) {
    const std::uint32_t at = keys.number_of({static_cast<std::uint32_t>(texts[run.program_operator])});
    if (at == times.size()) times.push_back(0);
    times[at] += run.sums.time;
    all += run.sums.time;
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    table.add_row({cell(profile.text(keys.text(i, 0))), Cell{times[i]}, share_cell(times[i], all)});
  }
  return table;
}

// "All", and the different texts of the operators that ran.
Parameter text_choices(const Profile& profile, const ProgramChoice& choice, const Parameters& given, std::string_view key,
                       const Column<StringId>& texts) {
  Parameter parameter = *std::find_if(given.all().begin(), given.all().end(), [&](const Parameter& p) { return p.key == key; });
  std::set<std::string_view> known;
  for (const OperatorRun& run : *choice.runs) known.insert(profile.text(texts[run.program_operator]));
  known.erase("");
  parameter.choices = {{"", "all"}};
  for (const std::string_view text : known) parameter.choices.push_back({std::string(text), std::string(text)});
  return parameter;
}

void add_rows(ReportTable& table, const Profile& profile, const std::vector<OperatorRun>& runs) {
  const std::vector<std::int64_t> fused = fused_counts(profile);
  Time all = 0;
  for (const OperatorRun& run : runs) all += run.sums.time;
  for (const OperatorRun& run : runs) {
    const Row of = run.program_operator;
    const ProgramOperators& operators = profile.program_operators;
    std::vector<Cell> cells{cell(profile.text(operators.name[of])), cell(profile.text(operators.program[of])),
                            cell(profile.text(operators.program_id[of])), Cell{fused[of]}};
    std::vector<Cell> work;
    append_work_cells(work, run.sums, all);
    cells.push_back(work.front());
    append_place_cells(cells, profile, run.place);
    std::move(work.begin() + 1, work.end(), std::back_inserter(cells));
    append_about_cells(cells, profile, of);
    cells.push_back(run.sums.longest_slice == kNoRow ? Cell{} : Cell{std::int64_t{run.sums.longest_slice}});
    append_detail_cells(cells, of, fused);
    table.add_row(std::move(cells));
  }
}

// Operators of several programs may have one name, and so may the programs: where it is ambiguous, the text says which one.
void hide_clear_programs(ReportTable& table, const Profile& profile, const std::vector<OperatorRun>& runs) {
  std::set<StringId> names;
  std::set<std::pair<StringId, StringId>> programs;
  for (const OperatorRun& run : runs) {
    const StringId name = profile.program_operators.program[run.program_operator];
    names.insert(name);
    programs.emplace(name, profile.program_operators.program_id[run.program_operator]);
  }
  for (ReportColumn& column : table.columns) {
    if (column.key == "program") column.hidden |= programs.size() < 2;
    if (column.key == "program_id") column.hidden |= programs.size() == names.size();
  }
}

Result<Report> run_program_operators(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const ProgramOperators& operators = profile->program_operators;
  Report report{.view = "program_operators", .title = "HLO operators"};
  const auto choice = choose_runs(report, profile, given);
  if (!choice) return choice.error();
  report.parameters.push_back(text_choices(*profile, *choice, given, "program", operators.program));
  drop_single_choice(report.parameters.back());
  report.parameters.push_back(text_choices(*profile, *choice, given, "category", operators.category));
  const std::vector<OperatorRun> in_scope = runs_in_scope(*profile, *choice, given);
  std::vector<OperatorRun> shown = in_scope;
  std::erase_if(shown, [&](const OperatorRun& each) { return !choice->shows(each.place); });
  std::stable_sort(shown.begin(), shown.end(), [](const auto& a, const auto& b) { return a.sums.time > b.sums.time; });
  std::set<Row> different;
  for (const OperatorRun& each : shown) different.insert(each.program_operator);
  report.scope = count_words(std::ssize(different), "{} operator", "{} operators");
  for (const char* key : {"program", "framework"})
    if (!given.text(key).empty()) report.scope = say("{}, {}", report.scope, given.text(key));
  report.scope = with_step(report.scope, given);

  ReportTable table = blank_program_operators(device_words(*profile));
  add_rows(table, *profile, shown);
  table.row_detail = fused_detail(given);
  if (!choice->stated) table.row_links.push_back(timeline_links().front());
  hide_plain_total(table);
  hide_clear_programs(table, *profile, shown);
  report.tables.push_back(std::move(table));
  LinkParameters kept;
  for (const std::string_view key : {"search", "times", "step", "program", "framework", "category"})
    kept.emplace_back(key, given.text(key));
  const int top = static_cast<int>(given.integer("top"));
  add_places(report, *profile, in_scope, report.view, kept);
  report.tables.push_back(sums_table(*profile, shown, operators.name, blank_shares()));
  report.panels.push_back(work_donut(report, "shares", "Time by operator", top));
  if (report.parameters.back().choices.size() > 1) {
    ReportTable categories = sums_table(*profile, shown, operators.category, blank_categories());
    LinkParameters of_category{{"category", "$name"}, {"device", given.text("device")}};
    of_category.insert(of_category.end(), kept.begin(), kept.end() - 1);
    categories.row_links.push_back({.title = "Operators of this category", .view = report.view, .parameters = of_category});
    categories.row_links.back().direct = true;
    report.tables.push_back(std::move(categories));
    report.panels.push_back(work_donut(report, "categories", "Time by category", top));
  }
  Panel panel{.kind = PanelKind::table, .id = "operators", .title = "HLO operators", .table = "program_operators"};
  panel.empty = "No operator matches.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<std::string> program_operators_unavailable(const Profile& profile) {
  const auto named = [&](Row of) { return !is_whole_framework_operator(profile, of); };
  const auto& slices = profile.program_work.program_operator;
  const auto& sums = profile.reported_program_work.program_operator;
  if (std::any_of(slices.begin(), slices.end(), named) || std::any_of(sums.begin(), sums.end(), named)) return std::nullopt;
  return "no operators of a compiled program in this profile";
}

std::vector<ReportTable> program_operators_tables() {
  return {blank_program_operators(), blank_shares(), blank_categories(), blank_place_table()};
}

}  // namespace

Analysis program_operators_analysis() {
  std::vector<Parameter> parameters = program_parameters();
  parameters.push_back({"program", "Program", ParameterType::choice, "", {}, "Only operators of this compiled program"});
  parameters.push_back({"framework",
                        "Framework operator",
                        ParameterType::text,
                        "",
                        {},
                        "Only operators made from the framework's operator of this path"});
  parameters.push_back({"category", "Category", ParameterType::choice, "", {}, "Only operators of this category"});
  return {.id = "program_operators",
          .title = "HLO operators",
          .group = ViewGroup::where_time_went,
          .doc = "Which operators of compiled programs took the time, as their compiler names them, on which device and core.",
          .parameters = std::move(parameters),
          .unavailable = program_operators_unavailable,
          .run = run_program_operators,
          .tables = program_operators_tables};
}

}  // namespace sightline
