// Overview: what bounds the step and what to try first; what a step was spent on, and how busy the devices were.
#include "analyses/advice/recommendations.h"
#include "analyses/kernels/kernel_groups.h"
#include "analyses/overview/measurements.h"
#include "analyses/overview/pass_panels.h"
#include "analyses/overview/verdict_strip.h"
#include "analyses/steps/step_sums.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

// ---- notes ----

std::string number_list(const std::vector<StepWindow>& steps) {
  std::string text;
  for (const StepWindow& step : steps) text += (text.empty() ? "" : ", ") + std::to_string(step.number);
  return text;
}

Message dropped_words(const StepWindows& steps) {
  std::string events;
  for (const StepWindow& step : steps.dropped) events += (events.empty() ? "" : ", ") + count_words(step.device_events);
  const auto left_out = [&](const auto& text) {
    return say(text, number_list(steps.dropped), events, count_words(steps.kept.back().device_events), steps.kept.back().number);
  };
  using Text = Template<4>;
  return steps.dropped.size() == 1
             ? left_out(Text("Step {} is left out: the recording ended before the device work launched there was complete "
                             "(device events: {}; {} in step {})."))
             : left_out(Text("Steps {} are left out: the recording ended before the device work launched there was complete "
                             "(device events: {}; {} in step {})."));
}

const char* stand_in(StepSource source) {
  switch (source) {
    case StepSource::operators: return "the extent of all operators and device work";
    case StepSource::device_work: return "the extent of all device work";
    default: return "the whole recording";
  }
}

// Not shown for recordings of devices alone: their profilers have no such function.
constexpr const char* kToSeeSteps =
    "Mark every iteration to see steps: by step() of torch.profiler, or by StepTraceAnnotation of jax.profiler.";

// The reader's notes on how it found steps.
void add_stated_notes(const Profile& profile, std::vector<Note>& notes) {
  for (Row i = 0; i < profile.problems.rows(); ++i) {
    const std::string_view code = profile.text(profile.problems.code[i]);
    if (code != stated::kNoStepMarks && code != stated::kStepsMayEndEarly && code != stated::kStepsLeftOut) continue;
    notes.push_back({Note::Level::info, as_sentence(profile.problem(i))});
  }
}

// What a user must know about the steps before trusting their numbers.
std::vector<Note> step_notes(const Profile& profile, const StepSummary& summary) {
  std::vector<Note> notes;
  add_stated_notes(profile, notes);
  if (const ProgramsRan ran = programs_ran(profile, summary); ran != ProgramsRan::nowhere) {
    notes.push_back(
        {Note::Level::info,
         ran == ProgramsRan::on_host
             ? "The compiled programs ran on the host: their time counts as Host here; the views of operators divide it."
             : "No kernels were recorded, only operators of compiled programs. Their time counts as Other here; the views of "
               "operators divide it."});
  }
  const StepWindows& steps = summary.steps;
  if (Message words = unrecorded_graph_words(profile); !words.empty()) notes.push_back({Note::Level::warning, std::move(words)});
  if (Message words = missing_work_words(profile, summary); !words.empty())
    notes.push_back({Note::Level::warning, std::move(words)});
  if (!steps.dropped.empty()) notes.push_back({Note::Level::warning, dropped_words(steps)});
  if (!summary.roles.host) {
    notes.push_back({Note::Level::info,
                     "No host thread was recorded: what the host did in a step (runtime, data loading, host) is unknown, and "
                     "counts as Other."});
  }
  if (steps.source == StepSource::recorded) return notes;
  notes.push_back(
      {Note::Level::info, sentences({say("No steps were recorded: {} counts as one step, numbered 0.", stand_in(steps.source)),
                                     summary.roles.host ? kToSeeSteps : ""})});
  return notes;
}

// ---- panels ----

// A bar for each step; not for a single one, which the average shows.
Panel steps_panel(const ReportTable& steps) {
  BarChart chart{.table = "steps", .x = "step", .stacked = true};
  for (const ReportColumn& column : steps.columns) {
    if (!column.category.empty() && !column.hidden) chart.series.push_back(column.key);
  }
  Panel panel{.id = "steps", .title = "Step time breakdown", .content = std::move(chart)};
  panel.doc = step_breakdown_doc();
  return panel;
}

Panel table_panel(const std::string& id, const std::string& table, Message title, Message empty) {
  Panel panel{.id = id, .title = std::move(title), .content = PlainTable{table}};
  panel.empty = std::move(empty);
  return panel;
}

// The verdict and the advice first, then measurements, then the long table.
void add_panels(Report& report, const ProfilePtr& held, const StepSummary& summary, const Recommendations& found) {
  const Profile& profile = *held;
  Panel advice{.id = "advice", .title = "Advice", .content = AdviceList{found.advice}};
  if (found.advice.empty()) advice.empty = no_pattern_words(profile, summary, found.verdict);
  Panel average =
      table_panel("average", "average", summary.steps.source == StepSource::recorded ? "Average step" : "The recording",
                  "No step has a duration.");
  average.doc = report.find_table("average")->find("time")->doc;
  Panel facts{.id = "configuration", .title = "Configuration", .content = FactSheet{configuration(profile, summary)}};
  average.width = facts.width = "half";
  constexpr std::string_view kNoDevices[] = {"Recorded without device activity.",
                                             "No device did any work: the compiled programs ran on the host.",
                                             "No kernels were recorded: see the views of operators."};
  Panel devices = table_panel("devices", "devices", "Devices",
                              std::string(kNoDevices[static_cast<std::size_t>(programs_ran(*held, summary))]));
  if (Message words = computed_fill_words(profile); !words.empty())
    devices.notes.push_back({Note::Level::info, std::move(words)});
  for (Panel panel : {verdict_panel(profile, summary, found), advice, average, facts, devices})
    report.panels.push_back(std::move(panel));
  if (report.find_table("steps")->rows() < 2) return;
  report.panels.push_back(steps_panel(*report.find_table("steps")));
  report.panels.push_back(table_panel("steps_table", "steps", "Steps", "No steps."));
}

Result<Report> run_overview(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto summary = step_summary(profile);
  Report report{.view = "overview", .title = "Overview"};
  if (profile->slices.rows() == 0) {
    report.scope = "what the file states";
    report.notes = {{Note::Level::info, "No events with a duration in this profile, only the file's own sums of its steps."}};
    add_step_sums(report, *profile, *summary);
    return report;
  }
  report.scope = scope_words(summary->steps);
  report.notes = step_notes(*profile, *summary);
  const auto found = recommend(profile);
  report.tables = {steps_table(*profile, *summary), average_table(*profile, *summary), devices_table(*profile, *summary),
                   bounds_table(found->verdict)};
  add_panels(report, profile, *summary, *found);
  add_pass_panels(report, profile);
  if (has_step_sums(*profile)) add_step_sums(report, *profile, *summary);
  return report;
}

// Events of memory, at most with annotations beside them: nothing says what ran meanwhile.
bool is_of_memory_alone(const Profile& profile) {
  return profile.memory_events.rows() > 0 && profile.steps.rows() == 0 && profile.device_work.rows() == 0 &&
         std::ranges::all_of(profile.slices.kind, [](SliceKind kind) { return kind == SliceKind::annotation; });
}

std::optional<Message> overview_unavailable(const Profile& profile) {
  if (profile.job_ranks.rows() > 0) return "it describes several ranks of a job, and no work of one: see Across ranks";
  if (is_of_memory_alone(profile)) return "it records memory, and no work: see Memory";
  if (profile.slices.rows() > 0 || profile.reported_steps.rows() > 0) return std::nullopt;
  return "no events with a duration in this profile: see its problems";
}

std::vector<ReportTable> overview_tables() {
  return {blank_steps(), blank_average(), blank_devices(), blank_bounds(), blank_passes(), blank_step_sums()};
}

}  // namespace

Analysis overview_analysis() {
  return {.id = "overview",
          .title = "Overview",
          .group = ViewGroup::where_time_went,
          .doc = "What bounds the step and what to try, how its time was spent, and how busy the devices were.",
          .parameters = {},
          .unavailable = overview_unavailable,
          .run = run_overview,
          .tables = overview_tables,
          .join_ranks = join_ranks};
}

}  // namespace sightline::analyses
