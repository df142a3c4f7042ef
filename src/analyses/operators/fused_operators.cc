// Fused operators: what a compiler fused into one operator (the detail of that one's row), and whether any of it also ran by
// itself, before, after or while the fused one did.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "analyses/columns.h"
#include "analyses/programs/program_columns.h"
#include "analyses/steps/step_choice.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "model/interval.h"

namespace sightline {

namespace {

// An operator by its name in its program; a framework's operator as a whole by its path.
using FusionKey = std::pair<StringId, StringId>;

StringId name_of(const Profile& profile, Row of) {
  const ProgramOperators& all = profile.program_operators;
  return is_whole_framework_operator(profile, of) ? all.framework_operator[of] : all.name[of];
}

FusionKey key_of(const Profile& profile, Row of) { return {profile.program_operators.program[of], name_of(profile, of)}; }

// The members by their key: what they took by themselves.
struct Elsewhere {
  Time time = 0;
  bool known = false;
  std::vector<Interval> ran{};
};

// Of the executions of a mask by row of program_work.
std::map<FusionKey, Elsewhere> members_elsewhere(const Profile& profile, const ProgramRuns& runs, const std::vector<bool>& counts,
                                                 Row fused) {
  const auto& into = profile.program_operators.fused_into;
  std::map<FusionKey, Elsewhere> members;
  for (Row row = 0; row < into.size(); ++row) {
    if (into[row] == fused) members.try_emplace(key_of(profile, row));
  }
  for (const OperatorRun& run : runs.stated.empty() ? runs.computed : runs.stated) {
    const auto member = members.find(key_of(profile, run.program_operator));
    if (member == members.end() || run.sums.untimed) continue;
    member->second.time += run.sums.time;
    member->second.known = true;
  }
  const ProgramWork& work = profile.program_work;
  for (Row row = 0; row < work.rows(); ++row) {
    if (!counts[row]) continue;
    const auto member = members.find(key_of(profile, work.program_operator[row]));
    if (member == members.end()) continue;
    member->second.ran.push_back({profile.slices.start[work.slice[row]], profile.end_of(work.slice[row])});
  }
  return members;
}

IntervalSet times_of(const Profile& profile, const std::vector<bool>& counts, Row of) {
  const ProgramWork& work = profile.program_work;
  std::vector<Interval> ran;
  for (Row row = 0; row < work.rows(); ++row) {
    if (!counts[row] || work.program_operator[row] != of) continue;
    ran.push_back({profile.slices.start[work.slice[row]], profile.end_of(work.slice[row])});
  }
  return merge(std::move(ran));
}

ReportTable blank_fused_operators() {
  ReportTable table{.key = "fused_operators", .title = "Fused operators"};
  table.columns.push_back(label_column("name", "Operator", "Name of the operator within its program"));
  add_about_columns(table.columns);
  table.columns.push_back(
      integer_column("elsewhere", "Time elsewhere", Unit::ns,
                     {"Time in which an operator of its name ran separately, not as a part of a fused one, on any core.",
                      "sum of the times of the program's operators of its name", "as the time of an operator"}));
  table.columns.back().unknown = "no operator of its name ran separately";
  table.columns.push_back(
      integer_column("overlap", "Overlap", Unit::ns,
                     {"How long an operator of its name ran separately while the fused one ran.",
                      "length of the intersection of the slices of both", "slices that execute an operator of a program"}));
  table.columns.back().unknown = "no slice of an operator of its name";
  table.sort_column = "name";
  table.sort_descending = false;
  return table;
}

Result<Report> run_fused_operators(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto& into = profile->program_operators.fused_into;
  const std::int64_t given = input.parameters.integer("operator");
  if (given < 0 || given >= static_cast<std::int64_t>(into.size())) {
    return Error{ErrorCode::not_found, say("no operator {} of a program in this profile", given), ""};
  }
  const Row fused = static_cast<Row>(given);
  const auto step = chosen_step(*profile, input.parameters.text("step"));
  if (!step) return step.error();
  const std::shared_ptr<const ProgramRuns> runs =
      *step ? std::make_shared<const ProgramRuns>(runs_in_step(*profile, **step)) : program_runs(profile);
  const std::vector<bool> counts = work_in_step(*profile, *step);
  const IntervalSet fused_ran = times_of(*profile, counts, fused);
  std::map<FusionKey, Elsewhere> members = members_elsewhere(*profile, *runs, counts, fused);
  ReportTable table = blank_fused_operators();
  for (Row row = 0; row < into.size(); ++row) {
    if (into[row] != fused) continue;
    const Elsewhere& elsewhere = members[key_of(*profile, row)];
    std::vector<Cell> cells{cell(profile->text(name_of(*profile, row)))};
    append_about_cells(cells, *profile, row);
    cells.push_back(elsewhere.known ? Cell{elsewhere.time} : Cell{});
    cells.push_back(elsewhere.ran.empty() ? Cell{} : Cell{total_length(intersect(fused_ran, merge(elsewhere.ran)))});
    table.add_row(std::move(cells));
  }
  Report report{.view = "fused_operators", .title = "Fused operators"};
  const Message operator_words = count_words(static_cast<std::int64_t>(table.rows()), "{} operator", "{} operators");
  report.scope = with_step(say("{} fused into {}", operator_words, profile->text(name_of(*profile, fused))), input.parameters);
  report.tables.push_back(std::move(table));
  Panel panel{.kind = PanelKind::table, .id = "fused_operators", .title = "Fused operators", .table = "fused_operators"};
  panel.empty = "Nothing was fused into this operator.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<std::string> fused_operators_unavailable(const Profile& profile) {
  const auto& into = profile.program_operators.fused_into;
  if (std::any_of(into.begin(), into.end(), [](Row row) { return row != kNoRow; })) return std::nullopt;
  return "no fused operators of a compiled program in this profile";
}

std::vector<ReportTable> fused_operators_tables() { return {blank_fused_operators()}; }

}  // namespace

Analysis fused_operators_analysis() {
  return {
      .id = "fused_operators",
      .title = "Fused operators",
      .group = ViewGroup::none,
      .doc = "Which operators a compiler fused into one.",
      .parameters =
          {{"operator", "Operator", ParameterType::integer, "0", {}, "Row of program_operators into which they were fused"},
           {"step", "Step", ParameterType::text, "", {}, "Only work that was launched, or began, in the step with this number"}},
      .unavailable = fused_operators_unavailable,
      .run = run_fused_operators,
      .tables = fused_operators_tables};
}

}  // namespace sightline
