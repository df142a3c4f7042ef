// Problems: what was wrong with the file, and what was done about it.
#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "note";
}

ReportTable problems_table(const Profile& profile) {
  TableOf<Row, Profile> table({.key = "problems", .title = "Problems"});
  table.add(words_column("severity", "Severity", "note, warning or error"),
            [](const Profile& p, Row row) { return severity_name(p.problems.severity[row]); });
  table.add(label_column("code", "Cause", "Stable name of the cause"),
            [](const Profile& p, Row row) { return p.problems.code[row]; });
  table.add(words_column("message", "What was found", "What was found and what Sightline did about it"),
            [](const Profile& p, Row row) { return p.problems.message[row]; });
  table.add(integer_column("count", "Count", Unit::count, {"How often", "", ""}),
            [](const Profile& p, Row row) { return p.problems.count[row]; });
  table.add(integer_column("offset", "First at byte", Unit::none, {"Offset of the first one, in the decompressed file", "", ""})
                .with_unknown("it has no place in the file"),
            [](const Profile& p, Row row) { return p.problems.offset[row] < 0 ? kUnknown : p.problems.offset[row]; });
  return table.of(profile, all_rows(profile.problems.rows()));
}

Result<Report> run_problems(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  Report report{.view = "problems", .title = "Problems"};
  report.scope = count_words(std::ssize(profile.problems.code), "{} kind of problem", "{} kinds of problems");
  report.tables.push_back(problems_table(profile));
  Panel panel{.kind = PanelKind::table, .id = "problems", .title = "Problems", .table = "problems"};
  panel.empty = "Nothing unusual was found while reading this profile.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<std::string> problems_unavailable(const Profile&) { return std::nullopt; }

}  // namespace

Analysis problems_analysis() {
  return {.id = "problems",
          .title = "Problems",
          .group = ViewGroup::data,
          .doc = "What was wrong with the file, and what Sightline did about it.",
          .parameters = {},
          .unavailable = problems_unavailable,
          .run = run_problems,
          .tables = nullptr};
}

}  // namespace sightline::analyses
