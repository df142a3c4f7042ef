// Pipeline: how the stages of pipeline parallelism share a step: their work, their bubbles against the ideal, their balance.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analyses/columns.h"
#include "analyses/ranks/distributed_tables.h"
#include "analyses/ranks/pipelines.h"
#include "analyses/ranks/step_choice.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kSchedule =
    "sends and receives of the stages in the step. With v parts of the model on each rank and m micro-batches, the first rank "
    "sends and receives (2v - 1) x m times, and a rank between the first and the last 2v x m times; in inference, the first "
    "rank sends v x m times and receives (v - 1) x m times";
constexpr std::string_view kStageSource = "work of the rank's devices in the step; without a chosen step, mean over steps";
constexpr std::string_view kUncounted = "the micro-batches cannot be counted: see the notes";
constexpr std::string_view kNoPasses = "no backward pass was recorded";
constexpr const char* kStageName = "Its number, from 0; of several pipelines, that of the pipeline before it, as in p0 s1";
constexpr std::string_view kStagesMissing = "not all stages are here, or no step has work on all of them";

struct PipelineRow {
  Pipeline pipeline;
  std::string name;
  std::vector<PipelineStep> steps;

  // Mean over the steps; NaN without steps, or when it is unknown in one.
  template <typename Value>
  double mean(Value&& value) const {
    double sum = 0;
    for (const PipelineStep& step : steps) sum += value(step);
    return sum / static_cast<double>(steps.size());
  }
  // NaN also where a stage is missing: the value is one of the whole pipeline.
  template <typename Value>
  double mean_of_whole(Value&& value) const {
    return pipeline.is_whole() ? mean(value) : kUnknownNumber;
  }
  double bubble() const {
    return mean_of_whole([](const PipelineStep& step) { return step.bubble(); });
  }
  double balance() const {
    return mean_of_whole([](const PipelineStep& step) { return step.balance(); });
  }
  double ideal() const {
    return mean([](const PipelineStep& step) { return step.ideal(); });
  }
  // Unknown unless it is equal in all steps.
  std::int64_t in_all_steps(std::int64_t PipelineStep::*value) const {
    if (steps.empty()) return kUnknown;
    const std::int64_t count = steps.front().*value;
    return std::all_of(steps.begin(), steps.end(), [&](const PipelineStep& step) { return step.*value == count; }) ? count
                                                                                                                   : kUnknown;
  }
};

struct StageRow {
  const PipelineRow* of;
  std::size_t stage;
  const RankSummary* rank = nullptr;
  std::string name{};

  template <typename Value>
  double mean(Value&& value) const {
    return of->mean([&](const PipelineStep& step) { return static_cast<double>(value(step, step.stages[stage].work)); });
  }
  double pass(Time StageWork::*time) const {
    for (const PipelineStep& step : of->steps) {
      if (step.stages[stage].work.*time == kUnknown) return kUnknownNumber;
    }
    return mean([&](const PipelineStep&, const StageWork& work) { return work.*time; });
  }
  double work() const {
    return mean([](const PipelineStep&, const StageWork& work) { return time_of(work); });
  }
};

struct StageStepRow {
  const StageRow* of;
  const PipelineStep* step;
};

std::string worker_with_most(const PipelineRow& row, std::span<const RankSummaryPtr> ranks) {
  if (!row.pipeline.is_whole()) return {};
  std::size_t most = 0;
  double longest = -1;
  for (std::size_t stage = 0; stage < row.pipeline.stages.size(); ++stage) {
    const double work = StageRow{&row, stage}.work();
    if (work > longest) longest = work, most = stage;
  }
  return longest < 0 ? std::string() : ranks[row.pipeline.stages[most]]->worker;
}

TableOf<PipelineRow, std::span<const RankSummaryPtr>> pipeline_table() {
  using Ranks = std::span<const RankSummaryPtr>;
  TableOf<PipelineRow, Ranks> table({.key = "pipelines", .title = "Pipelines"});
  table.add(label_column("pipeline", "Pipeline", "Number of the pipeline, by its first rank"), &PipelineRow::name);
  table.add(text_column("group", "Process group", "Its name; of groups of two ranks, that of the first"),
            [](const PipelineRow& row) { return row.pipeline.name; });
  table.add(integer_column("stages", "Stages", Unit::count, {"Ranks that pass activations on.", "", "the process groups"}),
            [](const PipelineRow& row) { return row.pipeline.listed; });
  table.add(integer_column("stages_here", "Stages here", Unit::count, {"Of these, ranks in this span.", "", "the traces"}),
            [](const PipelineRow& row) { return std::ssize(row.pipeline.stages); });
  table.add(integer_column("steps", "Steps", Unit::count, {"Steps in which all stages worked.", "", "the traces"}),
            [](const PipelineRow& row) { return std::ssize(row.steps); });
  table.add(integer_column("micro_batches", "Micro-batches", Unit::count,
                           {"Micro-batches of a step.",
                            "sends of a rank between the first and the last - sends of the first; of two ranks, sends of the "
                            "first; in inference, sends - receives of the first",
                            kSchedule, kNew})
                .with_unknown(kUncounted),
            [](const PipelineRow& row) { return row.in_all_steps(&PipelineStep::micro_batches); });
  table.add(integer_column("chunks", "Parts per rank", Unit::count,
                           {"Parts of the model on each rank: above 1, the schedule is interleaved.",
                            "sends of a rank between the first and the last / (2 x micro-batches); in inference, sends of the "
                            "first / micro-batches",
                            kSchedule, kNew})
                .with_unknown(kUncounted),
            [](const PipelineRow& row) { return row.in_all_steps(&PipelineStep::chunks); });
  table.add(
      real_column("span", "Time of the pipeline", Unit::ns,
                  {"From the first forward to the last backward work. In GPipe and 1F1B the first stage does both, so clocks "
                   "of ranks are not compared.",
                   "max over stages of (end of the last work - start of the first)", kStageSource, kNew})
          .with_unknown(kStagesMissing),
      [](const PipelineRow& row) {
        return row.mean_of_whole([](const PipelineStep& step) { return static_cast<double>(step.span()); });
      });
  table.add(real_column("bubble", "Bubble", Unit::share,
                        {"Share of the pipeline's time in which a stage does nothing but wait for others or transfer.",
                         "1 - mean over stages of busy / time of the pipeline", kStageSource, kNew})
                .with_bar("bubble")
                .with_unknown(kStagesMissing),
            &PipelineRow::bubble);
  table.add(real_column(
                "ideal", "Ideal bubble", Unit::share,
                {"What the schedule itself costs if all stages take the same time and transfers take none: GPipe and 1F1B, also "
                 "interleaved.",
                 "(stages - 1) / (parts per rank x micro-batches + stages - 1)",
                 "Huang et al., GPipe (2019), section 2.3; Narayanan et al., Efficient Large-Scale Language Model Training "
                 "on GPU Clusters (2021), sections 2.2.1 and 2.2.2",
                 kNew})
                .with_unknown(kUncounted),
            &PipelineRow::ideal);
  table.add(real_column("above", "Above the ideal", Unit::share,
                        {"What uneven stages, transfers and the host add.", "bubble - ideal bubble", kStageSource, kNew})
                .with_unknown(kUncounted),
            [](const PipelineRow& row) { return row.bubble() - row.ideal(); });
  table.add(real_column("balance", "Most / mean work", Unit::none,
                        {"How uneven the stages are: 1 if all take the same time.",
                         "max over stages of work / mean over stages of work, work = forward + backward + recomputed",
                         kStageSource, kNew})
                .with_unknown(kStagesMissing),
            &PipelineRow::balance);
  table.add(code_column("slowest", "Longest stage", "The worker whose stage has most work"),
            [](const Ranks& ranks, const PipelineRow& row) { return worker_with_most(row, ranks); });
  return table;
}

TableOf<StageRow> stage_table() {
  TableOf<StageRow> table(
      {.key = "stages",
       .title = "Stages",
       .row_links = {
           {.title = "Ranks on one axis", .view = "timeline", .parameters = {{"timeline.ranks", "span"}}, .worker = "$worker"}}});
  table.add(label_column("stage", "Stage", kStageName), &StageRow::name);
  table.add(code_column("worker", "Worker", "Name of the worker, from its file's name"),
            [](const StageRow& row) { return row.rank->worker; });
  table.add(
      integer_column("rank", "Rank", Unit::id, {"Index in the job, as recorded", "", ""}).with_unknown("the file does not say"),
      [](const StageRow& row) { return row.rank->rank; });
  const auto add_pass = [&](const char* key, Message title, Message meaning, Time StageWork::*time) {
    table.add(real_column(key, std::move(title), Unit::ns,
                          {std::move(meaning), "length of the union of the kernels of the pass", kStageSource, kNew})
                  .with_unknown(kNoPasses),
              [time](const StageRow& row) { return row.pass(time); });
  };
  add_pass("forward", "Forward", "Kernels of the forward pass.", &StageWork::forward);
  add_pass("backward", "Backward", "Kernels of the backward pass.", &StageWork::backward);
  add_pass("recomputing", "Recomputed", "Kernels that compute activations again during the backward pass.",
           &StageWork::recomputing);
  table.add(real_column("busy_otherwise", "Other work", Unit::ns,
                        {"Other work between the first and the last work of the passes: collectives inside the stage, copies. "
                         "Without a backward "
                         "pass: all work.",
                         "busy - forward - backward - recomputed, at least 0; busy: any work but sends and receives runs",
                         kStageSource, kNew}),
            [](const StageRow& row) {
              return row.mean([](const PipelineStep&, const StageWork& work) {
                return work.backward == kUnknown ? work.busy : std::max<Time>(0, work.busy - time_of(work));
              });
            });
  table.add(real_column("inside", "Waits inside", Unit::ns,
                        {"Bubbles between its first and its last work: it waits for another stage, or transfers.",
                         "end of the last work - start of the first - busy", kStageSource, kNew})
                .with_category("idle"),
            [](const StageRow& row) {
              return row.mean([](const PipelineStep&, const StageWork& work) { return work.extent.length() - work.busy; });
            });
  table.add(real_column("outside", "Fill and drain", Unit::ns,
                        {"Bubbles before its first and after its last work.",
                         "time of the pipeline - (end of its last work - start of its first)", kStageSource, kNew})
                .with_category("other"),
            [](const StageRow& row) {
              return row.of->mean_of_whole([&](const PipelineStep& step) {
                return static_cast<double>(step.span() - step.stages[row.stage].work.extent.length());
              });
            });
  table.add(real_column("bubble", "Bubble", Unit::share,
                        {"Share of the pipeline's time in which it does nothing but wait or transfer.",
                         "(waits inside + fill and drain) / time of the pipeline", kStageSource, kNew})
                .with_bar("bubble"),
            [](const StageRow& row) {
              return row.of->mean_of_whole([&](const PipelineStep& step) { return step.bubble(row.stage); });
            });
  table.add(real_column("times_mean", "Work / mean", Unit::none,
                        {"Its work against the mean over the stages: above 1, the others wait for it.",
                         "work / mean over stages of work, work = forward + backward + recomputed", kStageSource, kNew}),
            [](const StageRow& row) {
              if (!row.of->pipeline.is_whole()) return kUnknownNumber;
              double sum = 0;
              for (std::size_t stage = 0; stage < row.of->pipeline.stages.size(); ++stage) sum += StageRow{row.of, stage}.work();
              return quotient(row.work() * static_cast<double>(row.of->pipeline.stages.size()), sum);
            });
  return table;
}

TableOf<StageStepRow> stage_step_table() {
  TableOf<StageStepRow> table({.key = "stage_steps", .title = "Stages by steps"});
  table.add(label_column("stage", "Stage", kStageName), [](const StageStepRow& row) { return row.of->name; });
  table.add(integer_column("step", "Step number", Unit::id, {"As recorded", "", ""}),
            [](const StageStepRow& row) { return row.step->number; });
  table.add(
      integer_column("work", "Work", Unit::ns,
                     {"Its work in the step.", "forward + backward + recomputed; without passes, all work", kStageSource, kNew}),
      [](const StageStepRow& row) { return time_of(row.step->stages[row.of->stage].work); });
  table.add(
      real_column("bubble", "Bubble", Unit::share,
                  {"Share of the pipeline's time in which it does nothing but wait or transfer.",
                   "1 - busy / time of the pipeline", kStageSource, kNew}),
      [](const StageStepRow& row) { return row.of->of->pipeline.is_whole() ? row.step->bubble(row.of->stage) : kUnknownNumber; });
  return table;
}

std::vector<Fact> facts_of(const std::vector<PipelineRow>& rows) {
  double bubble = 0, ideal = 0, balance = 0;
  for (const PipelineRow& row : rows) {
    bubble += row.bubble();
    ideal += row.ideal();
    balance = std::isnan(row.balance()) ? row.balance() : std::max(row.balance(), balance);  // NaN stays
  }
  const auto count = static_cast<double>(rows.size());
  return {{"Pipelines", Cell{std::ssize(rows)}, Unit::count, "Chains of ranks that pass activations on"},
          {"Bubble", cell(bubble / count), Unit::share, "Mean over the pipelines", Message(kStagesMissing)},
          {"Ideal bubble", cell(ideal / count), Unit::share,
           "(stages - 1) / (parts per rank x micro-batches + stages - 1), mean over the pipelines", Message(kUncounted)},
          {"Most / mean work", cell(balance), Unit::none,
           "Of the pipeline whose stages are most uneven: 1 if all stages take the same time", Message(kStagesMissing)}};
}

std::vector<Note> notes_of(const std::vector<PipelineRow>& rows) {
  std::vector<Note> notes;
  for (const PipelineRow& row : rows) {
    const auto why =
        std::find_if(row.steps.begin(), row.steps.end(), [](const PipelineStep& step) { return !step.why_unknown.empty(); });
    if (why == row.steps.end()) continue;
    notes.push_back({Note::Level::info,
                     say("Micro-batches of pipeline {} are unknown in step {}: {}.", row.name, why->number, why->why_unknown)});
    break;
  }
  return notes;
}

Result<Report> run_pipeline(const AnalysisInput& input) {
  const std::vector<RankSummaryPtr> ranks = by_rank(input.ranks);
  const auto step = wanted_step(ranks, input.parameters);
  if (!step) return step.error();
  std::vector<PipelineRow> rows;
  for (Pipeline& pipeline : pipelines_of(ranks)) {
    PipelineRow row{.pipeline = std::move(pipeline), .name = std::to_string(rows.size()), .steps = {}};
    row.steps = steps_of(row.pipeline, ranks, *step);
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return Error{ErrorCode::unavailable, "no two ranks of this span pass activations to one another", ""};
  std::vector<StageRow> stages;
  for (const PipelineRow& row : rows) {
    for (std::size_t stage = 0; stage < row.pipeline.stages.size(); ++stage)
      stages.push_back({&row, stage, ranks[row.pipeline.stages[stage]].get(),
                        rows.size() == 1 ? std::to_string(stage) : fmt::format("p{} s{}", row.name, stage)});
  }
  std::vector<StageStepRow> by_step;
  for (const StageRow& stage : stages) {
    for (const PipelineStep& each : stage.of->steps) by_step.push_back({&stage, &each});
  }
  Report report{.view = "pipeline", .title = "Pipeline"};
  report.scope = *step ? say("{}, step {}", count_words(std::ssize(ranks), "{} worker", "{} workers"), **step)
                       : count_words(std::ssize(ranks), "{} worker", "{} workers");
  report.parameters.push_back(step_parameter(ranks, input.parameters));
  report.notes = notes_of(rows);
  report.tables = {pipeline_table().of(ranks, rows), stage_table().of(stages), stage_step_table().of(by_step)};
  report.panels.push_back({.id = "summary", .title = "Summary", .content = FactSheet{facts_of(rows)}});
  std::vector<std::string> parts;  // those that took time
  for (const char* key : {"forward", "backward", "recomputing", "busy_otherwise", "inside", "outside"}) {
    if (is_ever_positive(*report.find_table("stages"), key)) parts.emplace_back(key);
  }
  Panel bars{.id = "bars",
             .title = "Stages",
             .content = BarChart{.table = "stages", .x = "stage", .series = std::move(parts), .stacked = true}};
  bars.doc =
      "The parts of each stage's time; they sum to the time of the pipeline, unless passes overlap. The last two are its bubble.";
  Panel map{.id = "map",
            .title = "Stages by steps",
            .content = HeatmapChart{.table = "stage_steps", .value = "bubble", .x = "step", .y = "stage"}};
  map.doc = "The bubble of each stage in each step.";
  for (Panel* panel : {&bars, &map}) report.panels.push_back(std::move(*panel));
  for (const char* key : {"pipelines", "stages"}) {
    const ReportTable& table = *report.find_table(key);
    report.panels.push_back({.id = table.key, .title = table.title, .content = PlainTable{table.key}});
  }
  return report;
}

std::optional<Message> pipeline_unavailable(const Profile& profile) {
  if (std::any_of(profile.collectives.kind.begin(), profile.collectives.kind.end(), is_transfer)) return std::nullopt;
  return "no sends or receives in this profile: its worker is no stage of a pipeline, or they were not recorded";
}

std::vector<ReportTable> pipeline_tables() {
  return {pipeline_table().blank(), stage_table().blank(), stage_step_table().blank()};
}

}  // namespace

Analysis pipeline_analysis() {
  return {.id = "pipeline",
          .title = "Pipeline",
          .group = ViewGroup::across_ranks,
          .doc = "How the stages of pipeline parallelism share a step: their work, their bubbles, their balance.",
          .parameters = {step_of_ranks()},
          .unavailable = pipeline_unavailable,
          .run = run_pipeline,
          .tables = pipeline_tables};
}

}  // namespace sightline::analyses
