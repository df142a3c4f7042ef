// Fused operators: the operators that a compiler fused into one (the detail of that one's row), and whether any of them also ran
// separately, before, after or during the fused one.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "analyses/columns.h"
#include "analyses/programs/program_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "model/interval.h"

namespace sightline::analyses {

namespace {

// An operator by its name in its program; a framework's operator as a whole by its path.
using FusionKey = std::pair<StringId, StringId>;

StringId name_of(const Profile& profile, Row of) {
  const ProgramOperators& all = profile.program_operators;
  return is_whole_framework_operator(profile, of) ? all.framework_operator[of] : all.name[of];
}

FusionKey key_of(const Profile& profile, Row of) { return {profile.program_operators.program[of], name_of(profile, of)}; }

// The members by their key: the time of their separate executions.
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

struct FusedOperator {
  Row row;  // of program_operators
  Time elsewhere, overlap;
};

TableOf<FusedOperator, Profile> fused_operator_table() {
  TableOf<FusedOperator, Profile> table(
      {.key = "fused_operators", .title = "Fused operators", .sort_column = "name", .sort_descending = false});
  table.add(label_column("name", "Operator", "Name of the operator within its program"),
            [](const Profile& profile, const FusedOperator& of) { return name_of(profile, of.row); });
  table.add_all(about_columns(), &FusedOperator::row);
  table.add(integer_column("elsewhere", "Time elsewhere", Unit::ns,
                           {"Time in which an operator of this name ran separately on any core, not inside a fused operator.",
                            "sum of the times of the program's operators of its name", "as the time of an operator"})
                .with_unknown("no operator of its name ran separately"),
            &FusedOperator::elsewhere);
  table.add(integer_column("overlap", "Overlap", Unit::ns,
                           {"How long an operator of its name ran separately while the fused one ran.",
                            "length of the intersection of the slices of both", "slices that execute an operator of a program"})
                .with_unknown("no slice of an operator of its name"),
            &FusedOperator::overlap);
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
  const auto step = chosen_step(profile, input.parameters.text("step"));
  if (!step) return step.error();
  const std::shared_ptr<const ProgramRuns> runs =
      *step ? std::make_shared<const ProgramRuns>(runs_in_step(*profile, **step)) : program_runs(profile);
  const std::vector<bool> counts = work_in_step(*profile, *step);
  const IntervalSet fused_ran = times_of(*profile, counts, fused);
  std::map<FusionKey, Elsewhere> members = members_elsewhere(*profile, *runs, counts, fused);
  std::vector<FusedOperator> rows;
  for (Row row = 0; row < into.size(); ++row) {
    if (into[row] != fused) continue;
    const Elsewhere& elsewhere = members[key_of(*profile, row)];
    rows.push_back({row, elsewhere.known ? elsewhere.time : kUnknown,
                    elsewhere.ran.empty() ? kUnknown : total_length(intersect(fused_ran, merge(elsewhere.ran)))});
  }
  ReportTable table = fused_operator_table().of(*profile, rows);
  Report report{.view = "fused_operators", .title = "Fused operators"};
  const Message operator_words = count_words(static_cast<std::int64_t>(table.rows()), "{} operator", "{} operators");
  report.scope = with_step(say("{} fused into {}", operator_words, profile->text(name_of(*profile, fused))), input.parameters);
  report.tables.push_back(std::move(table));
  Panel panel{.id = "fused_operators", .title = "Fused operators", .content = PlainTable{"fused_operators"}};
  panel.empty = "Nothing was fused into this operator.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> fused_operators_unavailable(const Profile& profile) {
  const auto& into = profile.program_operators.fused_into;
  if (std::any_of(into.begin(), into.end(), [](Row row) { return row != kNoRow; })) return std::nullopt;
  return "no fused operators of a compiled program in this profile";
}

std::vector<ReportTable> fused_operators_tables() { return {fused_operator_table().blank()}; }

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

}  // namespace sightline::analyses
