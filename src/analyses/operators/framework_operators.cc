// Framework operators: which operators of the framework took the time of compiled programs, by device and core.
#include <algorithm>
#include <set>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/programs/program_columns.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

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
  sort_down(groups, [](const FrameworkGroup& each) { return each.sums.time; });
  return groups;
}

ReportColumn name_column() {
  return label_column("name", "Framework operator", "Path of the operator in the framework's program")
      .with_unknown("the compiler does not say what it was made from");
}

// The members of each fused operator of a program, and the time that shares refer to.
struct FrameworkTotals {
  std::vector<std::int64_t> fused;
  Time all = 0;

  // kUnknown where the operator is not stated as a whole.
  std::int64_t fused_into(const FrameworkGroup& group) const { return group.whole == kNoRow ? kUnknown : fused[group.whole]; }
};

TableOf<FrameworkGroup, Profile, FrameworkTotals> framework_operator_table(const DeviceWords& words = {}) {
  TableOf<FrameworkGroup, Profile, FrameworkTotals> table(
      {.key = "framework_operators", .title = "Framework operators", .sort_column = "time"});
  table.add(name_column(), &FrameworkGroup::name);
  table.add(fused_column().with_unknown("see the HLO operators that it became"),
            [](const Profile&, const FrameworkTotals& totals, const FrameworkGroup& group) { return totals.fused_into(group); });
  const auto work = [](const Profile&, const FrameworkTotals& totals, const FrameworkGroup& group) {
    return WorkOfAll{group.sums, totals.all};
  };
  table.add_all(occurrence_columns(), work);
  table.add_all(place_columns(words), &FrameworkGroup::place);
  table.add_all(work_columns(), work);
  table.add(integer_column("operators", "HLO operators", Unit::count,
                           {"Operators of the compiled program that it became.", "number of different operators that ran",
                            "the compiler, for each operator"})
                .with_unknown("the file states the framework's operator as a whole"),
            [](const FrameworkGroup& group) { return group.operators.empty() ? kUnknown : std::ssize(group.operators); });
  table.add(longest_slice_column("execution"), [](const FrameworkGroup& group) { return group.sums.longest_slice; });
  table.add(flag_column("named", "Named", {"Whether it is known which operator it is", "", ""}).hide(),
            [](const FrameworkGroup& group) { return group.name != StringId::none; });
  table.add_all(detail_columns(), [](const Profile&, const FrameworkTotals& totals, const FrameworkGroup& group) {
    return FusedDetail{group.whole, totals.fused_into(group) > 0};
  });
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

// An operator on all places together, for the chart.
struct FrameworkTime {
  StringId name;
  WorkOfAll work;
};

TableOf<FrameworkTime, Profile> framework_shares() {
  TableOf<FrameworkTime, Profile> table({.key = "shares", .title = "Time by operator", .sort_column = "time"});
  table.add(name_column(), &FrameworkTime::name);
  table.add_all(work_columns(), &FrameworkTime::work, is_time_or_share);
  return table;
}

std::vector<FrameworkTime> framework_times(const std::vector<FrameworkGroup>& groups, Time all) {
  GroupIndex<1> names;
  std::vector<FrameworkTime> times;
  for (const FrameworkGroup& group : groups) {
    const std::uint32_t at = names.number_of({static_cast<std::uint32_t>(group.name)});
    if (at == times.size()) times.push_back({group.name, {{}, all}});
    times[at].work.sums.time += group.sums.time;
  }
  return times;
}

Result<Report> run_framework_operators(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  Report report{.view = "framework_operators", .title = "Framework operators"};
  const auto choice = choose_runs(report, profile, given);
  if (!choice) return choice.error();
  const std::vector<OperatorRun> in_scope = runs_in_scope(*profile, *choice, given.text("search"));
  const std::vector<FrameworkGroup> groups = group_runs(*profile, in_scope, *choice);
  FrameworkTotals totals{fused_counts(*profile)};
  for (const FrameworkGroup& group : groups) totals.all += group.sums.time;
  ReportTable table = framework_operator_table(device_words(*profile)).of(*profile, totals, groups);
  const bool has_operators =
      std::any_of(groups.begin(), groups.end(), [](const FrameworkGroup& group) { return !group.operators.empty(); });
  add_links(table, has_operators, given);
  table.row_detail = fused_detail(given);
  if (!choice->stated) table.row_links.push_back(timeline_links().front());
  hide_plain_total(table);
  ReportTable shares = framework_shares().of(*profile, framework_times(groups, totals.all));
  report.scope = with_step(count_words(static_cast<std::int64_t>(shares.rows()), "{} operator", "{} operators"), given);
  report.tables.push_back(std::move(table));
  report.tables.push_back(std::move(shares));

  const int top = static_cast<int>(given.integer("top"));
  add_places(report, *profile, in_scope, report.view,
             {{"search", given.text("search")}, {"times", given.text("times")}, {"step", given.text("step")}});
  report.panels.push_back(work_donut(report, "shares", "Time by operator", top));
  Panel panel{.id = "operators", .title = "Framework operators", .content = PlainTable{"framework_operators"}};
  panel.empty = "No operator matches.";
  report.panels.push_back(std::move(panel));
  return report;
}

// Unavailable if no operator that ran has a known framework operator.
std::optional<Message> framework_operators_unavailable(const Profile& profile) {
  const auto& names = profile.program_operators.framework_operator;
  const auto named = [&](Row of) { return names[of] != StringId::none; };
  const auto& slices = profile.program_work.program_operator;
  const auto& sums = profile.reported_program_work.program_operator;
  if (std::any_of(slices.begin(), slices.end(), named) || std::any_of(sums.begin(), sums.end(), named)) return std::nullopt;
  return "no operators of a compiled program with a known framework operator";
}

std::vector<ReportTable> framework_operators_tables() {
  return {framework_operator_table().blank(), framework_shares().blank(), blank_place_table()};
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

}  // namespace sightline::analyses
