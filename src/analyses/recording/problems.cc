// Problems: what was wrong with the file, and what was done about it.
#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline {

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
  ReportTable table{.key = "problems", .title = "Problems"};
  table.columns = {
      words_column("severity", "Severity", "note, warning or error"), label_column("code", "Cause", "Stable name of the cause"),
      words_column("message", "What was found", "What was found and what was done about it"),
      integer_column("count", "Count", Unit::count, {"How often", "", ""}),
      integer_column("offset", "First at byte", Unit::none, {"Offset of the first one, in the decompressed file", "", ""})};
  table.columns.back().unknown = "it has no place in the file";
  table.sort_column = "";
  const Problems& rows = profile.problems;
  for (Row i = 0; i < rows.rows(); ++i) {
    const std::int64_t offset = rows.offset[i];
    table.add_row({cell(severity_name(rows.severity[i])), cell(profile.text(rows.code[i])), cell(profile.text(rows.message[i])),
                   cell(rows.count[i]), offset < 0 ? Cell{} : Cell{offset}});
  }
  return table;
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
          .doc = "What was wrong with the file, and what was done about it.",
          .parameters = {},
          .unavailable = problems_unavailable,
          .run = run_problems,
          .tables = nullptr};
}

}  // namespace sightline
