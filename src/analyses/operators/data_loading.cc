// Data loading: what the steps waited for while they fetched input, step by step and by stage of the input pipeline.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/group_index.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kLoading = "slices of the host that load data";
constexpr std::string_view kNoDevice = "no device work was recorded";

bool loads(const Profile& profile, Row slice) { return slice != kNoRow && profile.slices.kind[slice] == SliceKind::data_loading; }

// By lane: whether its thread runs the steps. Without marks of steps on the host, these are the threads that run operators.
std::vector<bool> step_lanes(const Profile& profile) {
  const Lanes& lanes = profile.lanes;
  const auto with = [&](SliceKind kind) {
    std::vector<bool> threads(lanes.rows(), false), found(lanes.rows(), false);
    for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
      const Row lane = profile.slices.lane[slice];
      if (profile.slices.kind[slice] == kind && lanes.kind[lane] == LaneKind::host_thread)
        threads[profile.main_lane(lane)] = true;
    }
    for (Row lane = 0; lane < lanes.rows(); ++lane) found[lane] = threads[profile.main_lane(lane)];
    return found;
  };
  std::vector<bool> found = with(SliceKind::step);
  return std::find(found.begin(), found.end(), true) == found.end() ? with(SliceKind::op) : found;
}

// ---- stages ----

struct Stage {
  StringId name;
  bool awaited;  // on a thread that runs the steps
  std::int64_t calls = 0;
  Time total = 0, self = 0, longest = 0;
  Row slice = kNoRow;  // the longest, the first of equals
};

std::vector<Stage> stages_of(const Profile& profile, const std::vector<bool>& lanes, const std::optional<StepWindow>& step) {
  const Slices& slices = profile.slices;
  GroupIndex<2> groups;
  std::vector<Stage> stages;
  const auto in_scope = [&](Row slice) { return loads(profile, slice) && (!step || starts_in(*step, slices.start[slice])); };
  const auto stage_of = [&](Row slice) {
    const bool awaited = lanes[slices.lane[slice]];
    const std::uint32_t at = groups.number_of({static_cast<std::uint32_t>(slices.name[slice]), awaited ? 1U : 0U});
    if (at == stages.size()) stages.push_back({slices.name[slice], awaited});
    return at;
  };
  for (Row slice = 0; slice < slices.rows(); ++slice) {
    const Row parent = slices.parent[slice];
    if (parent != kNoRow && in_scope(parent)) stages[stage_of(parent)].self -= slices.duration[slice];
    if (!in_scope(slice)) continue;
    Stage& stage = stages[stage_of(slice)];
    const Time duration = slices.duration[slice];
    if (stage.calls == 0 || duration > stage.longest) stage.slice = slice;
    stage.longest = std::max(stage.longest, duration);
    stage.total += duration;
    stage.self += duration;
    ++stage.calls;
  }
  return stages;
}

TableOf<Stage, Profile, Time> stage_table() {
  TableOf<Stage, Profile, Time> table({.key = "stages", .title = "Stages of the input pipeline", .sort_column = "self"});
  table.add(label_column("name", "Stage", "Name of the range that loads data"), &Stage::name);
  table.add(words_column("thread", "Thread", "Whether the steps run on its thread, and so wait for it"),
            [](const Stage& of) { return of.awaited ? Message("runs the steps") : Message("another thread"); });
  table.add(integer_column("calls", "Calls", Unit::count, {"How often it ran.", "number of slices", kLoading}), &Stage::calls);
  table.add(
      integer_column("total", "Total", Unit::ns, {"Time in it, including what is inside it.", "sum of durations", kLoading}),
      &Stage::total);
  table.add(integer_column("self", "Self", Unit::ns,
                           {"Time in it, excluding recorded ranges inside it.",
                            "sum of durations - durations of the slices right inside them", kLoading})
                .with_bar("share"),
            &Stage::self);
  table.add(real_column("share", "Share", Unit::share, {"Share of the self time of all stages.", "self / sum of self", kLoading})
                .with_sums(),
            [](const Profile&, Time all, const Stage& of) { return quotient(of.self, all); });
  table.add(real_column("mean", "Mean", Unit::ns, {"Average time of a call.", "total / calls", kLoading}),
            [](const Stage& of) { return quotient(of.total, of.calls); });
  table.add(integer_column("max", "Max", Unit::ns, {"Longest call.", "largest duration", kLoading}), &Stage::longest);
  table.add(longest_slice_column("call"), &Stage::slice);
  return table;
}

// ---- steps ----

struct StepInput {
  std::int64_t number;
  Time length, waited, idle;  // idle: kUnknown without device work
};

std::vector<StepInput> inputs_of(const Profile& profile, const std::vector<bool>& lanes, const StepWindows& steps) {
  std::vector<Interval> fetched, busy;
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    const SliceKind kind = profile.slices.kind[slice];
    const Interval time{profile.slices.start[slice], profile.end_of(slice)};
    if (kind == SliceKind::data_loading && lanes[profile.slices.lane[slice]]) fetched.push_back(time);
    if (is_device_work(kind)) busy.push_back(time);
  }
  const bool has_work = !busy.empty();
  const IntervalSet waits = merge(std::move(fetched));
  const IntervalSet idle = subtract(waits, merge(std::move(busy)));
  std::vector<StepInput> inputs;
  for (const StepWindow& step : steps.kept) {
    inputs.push_back({step.number, step.window.length(), length_within(waits, step.window),
                      has_work ? length_within(idle, step.window) : kUnknown});
  }
  return inputs;
}

TableOf<StepInput> step_table() {
  TableOf<StepInput> table({.key = "steps", .title = "Input of each step", .sort_column = "step", .sort_descending = false});
  table.add(integer_column("step", "Step", Unit::id, {"Number of the step", "", ""}).with_role(ColumnRole::label),
            &StepInput::number);
  table.add(integer_column("length", "Step time", Unit::ns, {"Length of the step.", "end - start of its window", "steps"}),
            &StepInput::length);
  table.add(integer_column("waited", "Waited for input", Unit::ns,
                           {"Time in which the thread of the steps loaded data.",
                            "length of the union of these slices inside the step's window", kLoading})
                .with_bar("share"),
            &StepInput::waited);
  table.add(real_column("share", "Share", Unit::share, {"Share of the step.", "waited for input / step time", kLoading}),
            [](const StepInput& of) { return quotient(of.waited, of.length); });
  table.add(integer_column("idle", "Devices idle", Unit::ns,
                           {"The part of the wait in which no device worked.",
                            "length of the wait without the union of all device work", "slices of the host and of devices"})
                .with_unknown(kNoDevice),
            &StepInput::idle);
  return table;
}

FactValue mean_of(const std::vector<StepInput>& steps, Time StepInput::*part) {
  double sum = 0;
  for (const StepInput& step : steps) sum += step.*part == kUnknown ? kUnknownNumber : static_cast<double>(step.*part);
  return quotient(sum, static_cast<double>(steps.size()));
}

FactSheet facts_of(const std::vector<StepInput>& steps) {
  double waited = 0, length = 0;
  const StepInput* worst = nullptr;
  for (const StepInput& step : steps) {
    waited += static_cast<double>(step.waited);
    length += static_cast<double>(step.length);
    if (worst == nullptr || step.waited > worst->waited) worst = &step;
  }
  FactSheet sheet;
  sheet.facts.push_back({.label = "Waited for input",
                         .value = mean_of(steps, &StepInput::waited),
                         .unit = Unit::ns,
                         .doc = "Mean over the steps of the time in which the thread of the steps loaded data.",
                         .unknown = "no steps"});
  sheet.facts.push_back({.label = "Share of the steps",
                         .value = quotient(waited, length),
                         .unit = Unit::share,
                         .doc = "That time as a share of all steps.",
                         .unknown = "no steps"});
  sheet.facts.push_back({.label = "Devices idle meanwhile",
                         .value = mean_of(steps, &StepInput::idle),
                         .unit = Unit::ns,
                         .doc = "Mean over the steps of the part in which no device worked.",
                         .unknown = std::string(kNoDevice)});
  if (worst != nullptr) {
    sheet.facts.push_back(
        {.label = "Longest wait of a step", .value = worst->waited, .unit = Unit::ns, .doc = say("In step {}.", worst->number)});
  }
  return sheet;
}

// ---- the view ----

Result<Report> run_data_loading(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto step = chosen_step(profile, input.parameters.text("step"));
  if (!step) return step.error();
  const std::shared_ptr<const StepWindows> steps = steps_of(profile);
  const std::vector<bool> lanes = step_lanes(*profile);
  std::vector<StepInput> inputs = inputs_of(*profile, lanes, *steps);
  Report report{.view = "data_loading", .title = "Data loading"};
  report.parameters.push_back(step_parameter(profile, input.parameters));
  report.scope = *step ? say("step {}", (*step)->number) : scope_words(*steps);
  if (*step) std::erase_if(inputs, [&](const StepInput& each) { return each.number != (*step)->number; });
  std::vector<Stage> stages = stages_of(*profile, lanes, *step);
  sort_down(stages, &Stage::self);
  Time all = 0;
  for (const Stage& stage : stages) all += stage.self;
  if (std::none_of(stages.begin(), stages.end(), [](const Stage& stage) { return stage.awaited; })) {
    report.notes.push_back({Note::Level::info,
                            "No data was loaded on a thread that runs the steps: other threads loaded it, and the steps did not "
                            "wait for it in a recorded range."});
  }
  const bool knows_idle = std::any_of(inputs.begin(), inputs.end(), [](const StepInput& each) { return each.idle != kUnknown; });
  BarChart waits{.table = "steps", .x = "step", .series = {"waited"}};
  if (knows_idle) waits.series.push_back("idle");
  ReportTable of_steps = step_table().of(inputs);
  of_steps.row_links.push_back({.title = "Stages of this step", .view = report.view, .parameters = {{"step", "$step"}}});
  report.tables.push_back(std::move(of_steps));
  ReportTable of_stages = stage_table().of(*profile, all, stages);
  for (RowLink& link : timeline_links()) of_stages.row_links.push_back(std::move(link));
  report.tables.push_back(std::move(of_stages));
  report.panels.push_back({.id = "facts", .title = "Input of the steps", .content = facts_of(inputs)});
  report.panels.push_back({.id = "steps", .title = "Input of each step", .content = std::move(waits)});
  report.panels.push_back({.id = "stages", .title = "Stages of the input pipeline", .content = PlainTable{"stages"}});
  report.panels.push_back({.id = "step_table", .title = "Steps", .content = PlainTable{"steps"}});
  return report;
}

std::optional<Message> data_loading_unavailable(const Profile& profile) {
  const auto& kinds = profile.slices.kind;
  if (std::find(kinds.begin(), kinds.end(), SliceKind::data_loading) != kinds.end()) return std::nullopt;
  return "no data loading in this profile";
}

std::vector<ReportTable> data_loading_tables() { return {step_table().blank(), stage_table().blank()}; }

}  // namespace

Analysis data_loading_analysis() {
  return {.id = "data_loading",
          .title = "Data loading",
          .group = ViewGroup::where_time_went,
          .doc = "How long the steps waited for input, and which stages of the input pipeline took the time.",
          .parameters = {{"step", "Step", ParameterType::text, "", {}, "Only the step of this number"}},
          .unavailable = data_loading_unavailable,
          .run = run_data_loading,
          .tables = data_loading_tables};
}

}  // namespace sightline::analyses
