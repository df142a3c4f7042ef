// The timeline's view: one panel, which the page draws from the timeline's own routes. What is when is not a report.
#include "analyses/steps/step_choice.h"
#include "analyses/views.h"

namespace sightline::analyses {

namespace {

Result<Report> run_timeline_view(const AnalysisInput& input) {
  const Result<std::optional<std::int64_t>> slice = optional_number("slice", input.parameters.text("slice"));
  if (!slice) return slice.error();
  const auto slices = static_cast<std::int64_t>(input.profiles.front()->slices.rows());
  if (*slice && (**slice < 0 || **slice >= slices)) return Error{ErrorCode::invalid_argument, say("no slice {}", **slice), ""};
  Report report{.view = "timeline", .title = "Timeline"};
  Panel panel{.kind = PanelKind::timeline, .id = "timeline", .title = "Timeline"};
  panel.empty = "The page draws the timeline: start `sightline view`. The metadata view lists its lanes.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<std::string> timeline_view_unavailable(const Profile& profile) {
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

}  // namespace sightline::analyses
