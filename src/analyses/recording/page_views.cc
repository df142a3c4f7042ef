// Views that the page draws from routes of their own: the timeline and the SQL console. The registry needs their names and
// parameters.
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"

namespace sightline::analyses {

// ---- timeline ----

namespace {

Result<Report> run_timeline_view(const AnalysisInput& input) {
  const Result<std::optional<std::int64_t>> slice = optional_number("slice", input.parameters.text("slice"));
  if (!slice) return slice.error();
  const auto slices = static_cast<std::int64_t>(input.profiles.front()->slices.rows());
  if (*slice && (**slice < 0 || **slice >= slices)) return Error{ErrorCode::invalid_argument, say("no slice {}", **slice), ""};
  Report report{.view = "timeline", .title = "Timeline"};
  Panel panel{.id = "timeline", .title = "Timeline", .content = TimelineCanvas()};
  panel.empty = "The page draws the timeline: start `sightline view`. The metadata view lists its lanes.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> timeline_view_unavailable(const Profile& profile) {
  if (profile.slices.rows() != 0) return std::nullopt;
  return "nothing in this profile has a time";
}

}  // namespace

Analysis timeline_analysis() {
  return {.id = "timeline",
          .title = "Timeline",
          .group = ViewGroup::when,
          .doc = "What ran when, on every thread and stream.",
          .parameters = {{"slice", "Slice", ParameterType::text, "", {}, "Row of the slice that is shown first"},
                         {"search", "Search", ParameterType::text, "", {}, "Text to search for in the names of slices"}},
          .unavailable = timeline_view_unavailable,
          .run = run_timeline_view,
          .tables = nullptr};
}

// ---- SQL console ----

Analysis query_analysis() {
  return {.id = "query",
          .title = "Query",
          .group = ViewGroup::data,
          .doc = "Your own SQL over the profile's tables.",
          .parameters = {{"sql", "SQL", ParameterType::text, "", {}, "The query: one SELECT"}},
          .unavailable = [](const Profile&) -> std::optional<Message> { return std::nullopt; },
          .run = nullptr,
          .tables = nullptr,
          .instead = "sightline query PATH 'SELECT ...'"};
}

}  // namespace sightline::analyses
