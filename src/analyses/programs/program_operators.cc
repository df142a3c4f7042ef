// HLO operators: which operators of compiled programs took the time, as their compiler names them, by device and core.
#include <algorithm>
#include <set>
#include <utility>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/programs/program_columns.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

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

// The members of each fused operator, and the time that shares refer to.
struct ProgramTotals {
  std::vector<std::int64_t> fused;
  std::vector<bool> in_graph;  // it reads a result, or its own is read
  Time all = 0;
};

TableOf<OperatorRun, Profile, ProgramTotals> program_operator_table(const DeviceWords& words = {}) {
  TableOf<OperatorRun, Profile, ProgramTotals> table(
      {.key = "program_operators", .title = "HLO operators", .sort_column = "time"});
  table.add(label_column("name", "Operator", "Name of the operator within its program"),
            [](const Profile& p, const ProgramTotals&, const OperatorRun& run) {
              return p.program_operators.name[run.program_operator];
            });
  table.add(code_column("program", "Program", "Compiled program that it is part of").with_unknown("the file does not state it"),
            [](const Profile& p, const ProgramTotals&, const OperatorRun& run) {
              return p.program_operators.program[run.program_operator];
            });
  table.add(code_column("program_id", "Program id", "Which program of that name: a recompiled program has another id")
                .with_unknown("the file does not state it"),
            [](const Profile& p, const ProgramTotals&, const OperatorRun& run) {
              return p.program_operators.program_id[run.program_operator];
            });
  table.add(fused_column(), [](const Profile&, const ProgramTotals& totals, const OperatorRun& run) {
    return totals.fused[run.program_operator];
  });
  const auto work = [](const Profile&, const ProgramTotals& totals, const OperatorRun& run) {
    return WorkOfAll{run.sums, totals.all};
  };
  table.add_all(occurrence_columns(), work);
  table.add_all(place_columns(words), &OperatorRun::place);
  table.add_all(work_columns(), work);
  table.add_all(about_columns(), &OperatorRun::program_operator);
  table.add(longest_slice_column("execution"), [](const OperatorRun& run) { return run.sums.longest_slice; });
  table.add_all(detail_columns(), [](const Profile&, const ProgramTotals& totals, const OperatorRun& run) {
    return FusedDetail{run.program_operator, totals.fused[run.program_operator] > 0};
  });
  table.add(flag_column("has_graph", "Has graph", {"Whether the program's graph has it", "", ""}).hide(),
            [](const Profile&, const ProgramTotals& totals, const OperatorRun& run) {
              return bool{totals.in_graph[run.program_operator]};
            });
  return table;
}

// Time of the runs by a text of their operators, in the order of the runs.
struct TextTime {
  StringId text;
  WorkOfAll work;
};

TableOf<TextTime, Profile> text_times(std::string_view key, Message title, ReportColumn label) {
  TableOf<TextTime, Profile> table({.key = std::string(key), .title = std::move(title), .sort_column = "time"});
  table.add(std::move(label), &TextTime::text);
  table.add_all(work_columns(), &TextTime::work, is_time_or_share);
  return table;
}

TableOf<TextTime, Profile> operator_shares() {
  return text_times("shares", "Time by operator", label_column("name", "Operator", "Name of the operator within its program"));
}

TableOf<TextTime, Profile> categories() {
  return text_times("categories", "Time by category",
                    text_column("name", "Category", "Kind of operation, as the file or its compiler groups them")
                        .with_role(ColumnRole::label)
                        .with_unknown("the file does not state it"));
}

std::vector<TextTime> times_by_text(const std::vector<OperatorRun>& runs, const Column<StringId>& texts) {
  GroupIndex<1> keys;
  std::vector<TextTime> times;
  Time all = 0;
  for (const OperatorRun& run : runs) {
    const StringId text = texts[run.program_operator];
    const std::uint32_t at = keys.number_of({static_cast<std::uint32_t>(text)});
    if (at == times.size()) times.push_back({text, {}});
    times[at].work.sums.time += run.sums.time;
    all += run.sums.time;
  }
  for (TextTime& time : times) time.work.all = all;
  return times;
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

// Operators of several programs may have the same name, and so may the programs: if it is ambiguous, the text names the program.
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
  sort_down(shown, [](const auto& each) { return each.sums.time; });
  std::set<Row> different;
  for (const OperatorRun& each : shown) different.insert(each.program_operator);
  report.scope = count_words(std::ssize(different), "{} operator", "{} operators");
  for (const char* key : {"program", "framework"})
    if (!given.text(key).empty()) report.scope = say("{}, {}", report.scope, given.text(key));
  report.scope = with_step(report.scope, given);

  ProgramTotals totals{fused_counts(*profile), std::vector<bool>(operators.rows(), false)};
  for (const auto* ends : {&profile->program_inputs.program_operator, &profile->program_inputs.input}) {
    for (const Row end : *ends) totals.in_graph[end] = true;
  }
  for (const OperatorRun& each : shown) totals.all += each.sums.time;
  ReportTable table = program_operator_table(device_words(*profile)).of(*profile, totals, shown);
  table.row_detail = fused_detail(given);
  if (!choice->stated) table.row_links.push_back(timeline_links().front());
  table.row_links.push_back({.title = "The graph around this operator",
                             .view = "program_graph",
                             .parameters = {{"operator", "$name"}, {"program", "$program_id"}, {"step", given.text("step")}},
                             .when = "has_graph"});
  hide_plain_total(table);
  hide_clear_programs(table, *profile, shown);
  report.tables.push_back(std::move(table));
  LinkParameters kept;
  for (const std::string_view key : {"search", "times", "step", "program", "framework", "category"})
    kept.emplace_back(key, given.text(key));
  const int top = static_cast<int>(given.integer("top"));
  add_places(report, *profile, in_scope, report.view, kept);
  report.tables.push_back(operator_shares().of(*profile, times_by_text(shown, operators.name)));
  report.panels.push_back(work_donut(report, "shares", "Time by operator", top));
  if (report.parameters.back().choices.size() > 1) {
    ReportTable by_category = categories().of(*profile, times_by_text(shown, operators.category));
    LinkParameters of_category{{"category", "$name"}, {"device", given.text("device")}};
    of_category.insert(of_category.end(), kept.begin(), kept.end() - 1);
    by_category.row_links.push_back({.title = "Operators of this category", .view = report.view, .parameters = of_category});
    by_category.row_links.back().direct = true;
    report.tables.push_back(std::move(by_category));
    report.panels.push_back(work_donut(report, "categories", "Time by category", top));
  }
  Panel panel{.id = "operators", .title = "HLO operators", .content = PlainTable{"program_operators"}};
  panel.empty = "No operator matches.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> program_operators_unavailable(const Profile& profile) {
  const auto named = [&](Row of) { return !is_whole_framework_operator(profile, of); };
  const auto& slices = profile.program_work.program_operator;
  const auto& sums = profile.reported_program_work.program_operator;
  if (std::any_of(slices.begin(), slices.end(), named) || std::any_of(sums.begin(), sums.end(), named)) return std::nullopt;
  return "no operators of a compiled program in this profile";
}

std::vector<ReportTable> program_operators_tables() {
  return {program_operator_table().blank(), operator_shares().blank(), categories().blank(), blank_place_table()};
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

}  // namespace sightline::analyses
