// The view History: one row a run, of the runs that the program knows. `sightline history` writes the same report for its paths.
#include "analyses/columns.h"
#include "analyses/history/history.h"
#include "analyses/views.h"

namespace sightline::analyses {

namespace {

Result<Report> run_history(const AnalysisInput& input) {
  std::vector<RunFigures> runs;
  for (const RunFiguresPtr& run : input.runs) runs.push_back(*run);
  name_runs(runs);
  const Message unsorted = sort_runs(runs);
  const auto top = static_cast<std::size_t>(std::clamp<std::int64_t>(input.parameters.integer("top"), 1, 20));
  Report report = history_report(runs, top);
  report.parameters = input.parameters.all();
  if (!unsorted.empty())
    report.notes.push_back({Note::Level::info, say("The runs are in the order of their names: {}.", unsorted)});
  return report;
}

}  // namespace

Analysis history_analysis() {
  return {.id = "history",
          .title = "History",
          .group = ViewGroup::runs,
          .doc = "How the runs that are here changed: steps, utilization, memory, operators, and where their level changed.",
          .parameters = {{"top", "Operators", ParameterType::integer, "5", {}, "How many operators the trends show"}},
          .unavailable = [](const Profile&) { return std::optional<Message>(); },
          .run = run_history,
          .tables = history_tables};
}

}  // namespace sightline::analyses
