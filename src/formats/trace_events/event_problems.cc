// The wording of the problems, and their summing up.
#include "formats/trace_events/event_problems.h"

namespace sightline::formats::trace_events {

namespace {

struct ProblemText {
  EventProblem problem;
  Severity severity;
  std::string_view code;
  std::string_view message;
};

constexpr ProblemText kProblemTexts[] = {
    {EventProblem::control_character, Severity::note, "control_character",
     "raw control characters inside strings were read as blanks"},
    {EventProblem::not_utf8, Severity::warning, "not_utf8", "strings contain bytes that are not UTF-8; they are shown as U+FFFD"},
    {EventProblem::malformed_event, Severity::error, "malformed_event", "an event is not well-formed JSON and was skipped"},
    {EventProblem::long_event, Severity::error, "long_event", "an event is longer than 16 MiB and was skipped"},
    {EventProblem::many_series, Severity::warning, "many_series",
     "a counter has more than 1,000 series, or very long names, in one event; those beyond are left out"},
    {EventProblem::bad_escape, Severity::note, "bad_escape", "an escape sequence that JSON does not know was kept as written"},
    {EventProblem::missing_name, Severity::warning, "missing_name", "an event has no name; it is shown as (unnamed)"},
    {EventProblem::missing_time, Severity::error, "missing_time", "an event has no start time and was skipped"},
    {EventProblem::missing_duration, Severity::warning, "missing_duration",
     "an event has no duration; it is shown as an instant"},
    {EventProblem::negative_duration, Severity::warning, "negative_duration", "a negative duration was read as 0"},
    {EventProblem::not_a_number, Severity::warning, "not_a_number",
     "a value that should be a number is not one; it counts as unknown"},
    {EventProblem::unknown_phase, Severity::note, "unknown_phase", "an event of an unknown phase was not shown"},
    {EventProblem::unmatched_end, Severity::warning, "unmatched_end", "an E event has no B event before it on its thread"},
    {EventProblem::unfinished_slice, Severity::warning, "unfinished_slice",
     "a B event has no E event; it is shown until the last time in the file"},
    {EventProblem::truncated, Severity::error, "truncated",
     "the file ends in the middle of an event; everything before it was read"},
};

}  // namespace

void report_problems(const std::vector<EventBatch>& batches, Profile& profile) {
  ProblemTallies all;
  for (const EventBatch& batch : batches) {
    for (const auto& [what, tally] : batch.problems) {
      ProblemTally& sum = all[what];
      const bool earlier = tally.first_offset != kUnknown && tally.first_offset < sum.first_offset;
      if (sum.count == 0 || earlier) sum.first_offset = tally.first_offset;
      sum.count += tally.count;
    }
  }
  for (const ProblemText& text : kProblemTexts) {
    const auto at = all.find(text.problem);
    if (at != all.end()) profile.add_problem(text.severity, text.code, text.message, at->second.count, at->second.first_offset);
  }
}

}  // namespace sightline::formats::trace_events
