// What if: how long steps would take if something were faster, by replaying the dependency graph; and for the names with most
// device time, what it would win if they took half as long, or no time.
#include <algorithm>

#include "analyses/columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/whatif/before_after.h"
#include "analyses/whatif/bound.h"
#include "analyses/whatif/scenario.h"
#include "analyses/words.h"
#include "base/parallel.h"

namespace sightline::analyses {

namespace {

const std::string kGraph = "dependency graph";
const std::string kReplays = "replays of the dependency graph";

constexpr std::size_t kTop = 10;    // names of each group
constexpr double kNoGain = 0.0005;  // of the step: shown as 0.0%

Message doc(const MetricDoc& of) { return of.text(); }

// ---- the graph ----

// Its bookkeeping, checked on this recording.
struct Identity {
  double recorded = 0, replayed = 0;  // ns per step
  Time moved = 0;                     // the most by which the unchanged replay moves a node
};

Identity check_identity(const DependencyGraph& graph) {
  const GraphChange none = unchanged(graph);
  const std::vector<Time> times = replay(graph, none);
  Identity found;
  for (Node node = 0; node < graph.nodes(); ++node) found.moved = std::max(found.moved, std::abs(times[node] - graph.time[node]));
  Time recorded = 0;
  for (const GraphStep& step : graph.steps) recorded += step.window.length();
  found.recorded = quotient(static_cast<double>(recorded), static_cast<double>(graph.steps.size()));
  found.replayed =
      quotient(static_cast<double>(total_length(step_intervals(graph, none, times))), static_cast<double>(graph.steps.size()));
  return found;
}

FactSheet graph_facts(const DependencyGraph& graph, const Identity& identity) {
  std::array<std::int64_t, kEdgeKinds> bound{};
  for (Node node = 0; node < graph.nodes(); ++node) {
    const auto edge = graph.binding(node);
    if (edge && graph.kind[node] == NodeKind::work) ++bound[static_cast<std::size_t>(graph.edge_kind[*edge])];
  }
  const auto bound_by = [&](EdgeKind kind) { return bound[static_cast<std::size_t>(kind)]; };
  FactSheet sheet;
  sheet.facts = {
      {"Recorded step", cell(identity.recorded), Unit::ns,
       doc({"Mean length of the kept steps.", "sum of lengths / number of steps", "steps, with their device work"})},
      {"Replayed step", cell(identity.replayed), Unit::ns,
       doc({"The same after a replay without any change.", "sum of lengths / number of steps", kGraph})},
      {"Nodes", Cell{static_cast<std::int64_t>(graph.nodes())}, Unit::count,
       doc({"Calls, ends of waits, marks of steps and device work.", "number of nodes", kGraph})},
      {"Moved by at most", Cell{identity.moved}, Unit::ns,
       doc({"How far the replay without any change moves a node. It checks the bookkeeping of the replay; it does not show how "
            "true a prediction is.",
            "largest difference of a node's replayed and recorded time", kGraph})},
      {"Bound by the host", Cell{bound_by(EdgeKind::launch)}, Unit::count,
       doc({"Device work whose launch came after everything else that it waited for.", "number of pieces of device work",
            kGraph})},
      {"Bound by the stream", Cell{bound_by(EdgeKind::stream) + bound_by(EdgeKind::order)}, Unit::count,
       doc({"Device work that waited for the work before it on its stream.", "number of pieces of device work", kGraph})},
      {"Bound by other work", Cell{bound_by(EdgeKind::event) + bound_by(EdgeKind::flow)}, Unit::count,
       doc({"Device work that waited for work of another stream or engine.", "number of pieces of device work", kGraph})},
      {"Waits that no event states", Cell{graph.unstated_waits}, Unit::count,
       doc({"Launched device work on a free stream that began within 20 µs after work of another stream of its device ended, and "
            "over 20 µs after everything that the file states: it waited for that.",
            "number of pieces of device work", kGraph})},
      {"Waits of the host", Cell{graph.waits}, Unit::count,
       doc({"Calls that ended at most 20 µs after device work that they waited for; waits for all work of a stream or device, "
            "also "
            "at most 5% of their length after it.",
            "number of calls", kGraph})},
      {"Waits for something else", Cell{graph.unrecorded_waits}, Unit::count,
       doc({"Calls that synchronize for more than 20 µs, and end when no device work does: they waited for something that is not "
            "recorded, and keep their length.",
            "number of calls", kGraph})}};
  return sheet;
}

// ---- the prediction ----

struct StepRow {
  std::int64_t number;
  Time recorded, predicted;
};

double gain_of(double recorded, double predicted) { return recorded > 0 ? (recorded - predicted) / recorded : kUnknownNumber; }

TableOf<StepRow> replayed_step_table() {
  TableOf<StepRow> table({.key = "steps", .title = "Steps", .sort_column = "step", .sort_descending = false});
  table.add(integer_column("step", "Step", Unit::id, {"Number of the step.", "", "the program"}).with_role(ColumnRole::label),
            &StepRow::number);
  table.add(integer_column("recorded", "As recorded", Unit::ns, {"Length as recorded.", "end - start", "steps"})
                .with_category("baseline"),
            &StepRow::recorded);
  table.add(integer_column("predicted", "Predicted", Unit::ns, {"Length with the changes.", "end - start", kReplays})
                .with_category("compared"),
            &StepRow::predicted);
  table.add(real_column("gain", "Gain", Unit::share,
                        {"What the changes win.", "(recorded - predicted) / recorded", "recorded and predicted steps"}),
            [](const StepRow& row) { return gain_of(static_cast<double>(row.recorded), static_cast<double>(row.predicted)); });
  return table;
}

TableOf<ScenarioPart> change_table() {
  TableOf<ScenarioPart> table({.key = "changes", .title = "Changes", .sort_column = "time"});
  table.add(label_column("change", "What changes", "The change as entered"), &ScenarioPart::text);
  table.add(
      integer_column("names", "Names", Unit::count, {"Number of names that the change matches.", "number of names", "names"}),
      [](const ScenarioPart& part) { return part.names > 0 ? part.names : kUnknown; });
  table.add(
      integer_column("works", "Device work", Unit::count,
                     {"Kernels, copies, fills and collectives that it changes.", "number of pieces of device work", kGraph}),
      [](const ScenarioPart& part) { return part.works > 0 ? part.works : kUnknown; });
  table.add(integer_column("time", "Time", Unit::ns,
                           {"Time of the device work or of the host that it changes, in the whole recording.",
                            "sum of lengths; for waits and launches that vanish, the time that they lose", kGraph}),
            &ScenarioPart::time);
  table.add(flag_column("at_most", "At most", {"Whether the gain is a bound that can only be approached.", "", "kind of change"}),
            &ScenarioPart::at_most);
  return table;
}

// The step of the number, else the usual one.
std::size_t shown_step(const DependencyGraph& graph, const std::optional<StepWindow>& chosen) {
  for (std::size_t step = 0; chosen && step < graph.steps.size(); ++step) {
    if (graph.steps[step].number == chosen->number) return step;
  }
  return usual_step(graph.steps);
}

void add_before_after(Report& report, const Profile& profile, const DependencyGraph& graph, const GraphChange& change,
                      const std::optional<StepWindow>& chosen) {
  if (graph.steps.empty()) return;
  const std::size_t step = shown_step(graph, chosen);
  const BeforeAfter found = before_and_after(profile, graph, change, step);
  const std::string before = time_words(static_cast<double>(found.recorded)),
                    after = time_words(static_cast<double>(found.predicted));
  add_before_after_panel(report, found, {.profiles = {&profile}, .workers = {}},
                         graph.source == StepSource::recorded
                             ? say("step {}: {} recorded, {} predicted", std::to_string(graph.steps[step].number), before, after)
                             : say("{} recorded, {} predicted", before, after));
}

bool changes_device_work(const Scenario& scenario) {
  return std::any_of(scenario.parts.begin(), scenario.parts.end(), [](const ScenarioPart& part) { return part.works > 0; });
}

void add_prediction(Report& report, const Profile& profile, const DependencyGraph& graph, const Scenario& scenario,
                    const Identity& identity, const std::optional<StepWindow>& chosen, const StepBound& bound) {
  const Prediction found = predict(graph, scenario.change);
  if (changes_device_work(scenario) && std::abs(gain_of(identity.recorded, found.mean)) < kNoGain)
    report.notes.push_back({Note::Level::info, no_gain_words(bound)});
  FactSheet sheet;
  sheet.facts = {{"Recorded step", cell(identity.recorded), Unit::ns,
                  doc({"Mean length of the kept steps.", "sum of lengths / number of steps", "steps, with their device work"})},
                 {"Predicted step", Cell{found.mean}, Unit::ns,
                  doc({"Mean length of the same steps with the changes.", "sum of lengths / number of steps", kReplays})},
                 {"Gain", cell(gain_of(identity.recorded, found.mean)), Unit::share,
                  doc({"What the changes win.", "(recorded - predicted) / recorded", "recorded and predicted steps"})},
                 {"The gain is", scenario.at_most ? Message("at most this") : Message("a prediction"), Unit::none,
                  "At most: a change can only be approached, such as work that takes no time."}};
  report.panels.push_back({.id = "prediction", .title = "Prediction", .content = std::move(sheet)});
  report.tables.push_back(change_table().of(scenario.parts));
  report.panels.push_back({.id = "changes", .title = "Changes", .content = PlainTable{"changes"}});
  add_before_after(report, profile, graph, scenario.change, chosen);
  std::vector<StepRow> rows;
  for (std::size_t i = 0; i < graph.steps.size(); ++i)
    rows.push_back({graph.steps[i].number, graph.steps[i].window.length(), found.steps[i].length()});
  report.tables.push_back(replayed_step_table().of(rows));
  if (rows.size() > 1) {
    report.panels.push_back({.id = "steps",
                             .title = "Steps",
                             .content = BarChart{.table = "steps", .x = "step", .series = {"recorded", "predicted"}}});
  }
}

// ---- what each name would win ----

struct GainRow {
  std::optional<WorkGroup> group;  // none: the host's code
  std::string name;
  std::int64_t works;
  Time time;
  double share, free, half;
  std::string change;
};

std::int64_t held_bytes(const GainRow& row) { return analyses::held_bytes(row.name, row.change); }

Message group_words(std::optional<WorkGroup> group) {
  if (!group) return "host";
  switch (*group) {
    case WorkGroup::kernel: return "kernel";
    case WorkGroup::op: return "operator";
    case WorkGroup::module: return "module";
    case WorkGroup::category: return "category";
    case WorkGroup::collective: return "collective";
  }
  return "";
}

TableOf<GainRow> gain_table() {
  TableOf<GainRow> table({.key = "gains", .title = "What it would win", .sort_column = "half"});
  table.add(words_column("kind", "Kind", "What the name is of"), [](const GainRow& row) { return group_words(row.group); });
  table.add(
      label_column("name", "Name", "Kernel, operator or module; the family of operators or kind of work; or the host's code")
          .with_words("own_name"),
      even_empty(&GainRow::name));
  table.add(own_name_column(), [](const GainRow& row) { return !row.group; });
  table.add(integer_column("works", "Device work", Unit::count,
                           {"Kernels, copies, fills and collectives of this name, or launched inside it.",
                            "number of pieces of device work", kGraph}),
            [](const GainRow& row) { return row.group ? row.works : kUnknown; });
  table.add(integer_column("time", "Device time", Unit::ns, {"Their time.", "sum of durations", "device work"}).with_bar("share"),
            [](const GainRow& row) { return row.group ? row.time : kUnknown; });
  table.add(real_column("share", "Share", Unit::share,
                        {"Their share of all device time.", "device time / device time of everything", "device work"}),
            &GainRow::share);
  table.add(real_column("half", "If twice as fast", Unit::share,
                        {"How much shorter the mean step would be if they took half as long.",
                         "(recorded step - predicted step) / recorded step", kReplays}),
            &GainRow::half);
  table.add(real_column("free", "If free", Unit::share,
                        {"How much shorter it would be if they took no time: no improvement wins more.",
                         "(recorded step - predicted step) / recorded step", kReplays}),
            &GainRow::free);
  table.add(code_column("change", "What changes", "The change that takes half as long, for the parameter of this view").hide(),
            &GainRow::change);
  table.add_link({.title = "What if it were twice as fast", .view = "what_if", .parameters = {{"change", "$change"}}});
  return table;
}

double gain_if(const DependencyGraph& graph, const std::vector<Node>& nodes, Time divisor, double recorded) {
  GraphChange change = unchanged(graph);
  for (const Node node : nodes) change.length[node] = divisor == 0 ? 0 : change.length[node] / divisor;
  return gain_of(recorded, predict(graph, change).mean);
}

struct Gains {
  std::vector<GainRow> rows;
  std::int64_t left_out = 0;  // names without a row
};

// Of each group, the names with most device time.
Gains gains_of_names(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection, std::size_t top,
                     double recorded) {
  Gains gains;
  std::vector<NamedWork> shown;
  for (const WorkGroup group : {WorkGroup::kernel, WorkGroup::op, WorkGroup::module, WorkGroup::category}) {
    std::vector<NamedWork> names = selection.names(group, top);
    const std::size_t count = std::min(top, names.size());
    gains.left_out += static_cast<std::int64_t>(names.size() - count);
    std::move(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), std::back_inserter(shown));
  }
  std::vector<GainRow>& rows = gains.rows;
  rows.resize(shown.size());
  parallel_for(shown.size(), default_threads(), [&](std::size_t i) {
    const NamedWork& work = shown[i];
    const std::string_view group = kWorkGroupNames[static_cast<std::size_t>(work.group)];
    rows[i] = {work.group,
               work.name,
               work.works,
               work.time,
               quotient(work.time, selection.time()),
               gain_if(graph, work.nodes, 0, recorded),
               gain_if(graph, work.nodes, 2, recorded),
               change_of_name(group, work.name, "*0.5")};
  });
  const auto host_gain = [&](const char* change) { return scenario_gain(profile, graph, selection, change, recorded); };
  if (const double half = host_gain("host*0.5"); !std::isnan(half))
    rows.push_back({std::nullopt, "All code", 0, 0, kUnknownNumber, host_gain("host*0"), half, "host*0.5"});
  return gains;
}

// What a scenario does not change.
struct Recorded {
  Identity identity;
  StepBound bound;
  std::vector<BroadGain> broad;
  Gains gains;  // of kTop names of each group

  friend std::int64_t held_bytes(const Recorded& recorded) { return analyses::held_bytes(recorded.broad, recorded.gains.rows); }
};

std::shared_ptr<const Recorded> recorded_of(const ProfilePtr& profile) {
  return derived<Recorded>(profile, [](const ProfilePtr& of) {
    const auto graph = dependency_graph(of);
    Recorded recorded{.identity = check_identity(*graph), .bound = step_bound(*of, *graph), .broad = {}, .gains = {}};
    if (of->device_work.rows() == 0) return recorded;
    const WorkSelection selection(of, *graph);
    recorded.broad = broad_gains(of, *graph, selection);
    recorded.gains = gains_of_names(of, *graph, selection, kTop, recorded.identity.recorded);
    return recorded;
  });
}

// ---- the report ----

void add_notes(Report& report, const Profile& profile, const DependencyGraph& graph) {
  report.notes.push_back({Note::Level::info,
                          "Latencies are as recorded, waits for batches keep their length, and threads that pass no work to each "
                          "other move independently. The replay without a change checks the bookkeeping, not the prediction."});
  if (profile.device_work.rows() > 0 && profile.launches.rows() == 0) {
    report.notes.push_back(
        {Note::Level::info,
         "No launches were recorded: device work depends on what the file links it to, and on the work before it on its engine "
         "or stream."});
  }
  if (graph.unrecorded_waits > 0) {
    report.notes.push_back({Note::Level::info, say("{} for something that is not recorded: such waits keep their length.",
                                                   count_words(graph.unrecorded_waits, "{} call waits", "{} calls wait"))});
  }
}

Result<Report> run_what_if(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto graph = dependency_graph(profile);
  const WorkSelection selection(profile, *graph);
  const Result<Scenario> scenario = make_scenario(profile, *graph, selection, input.parameters.text("change"));
  if (!scenario) return scenario.error();
  const auto chosen = chosen_step(profile, input.parameters.text("step"));
  if (!chosen) return chosen.error();
  const auto recorded = recorded_of(profile);
  const Identity& identity = recorded->identity;
  Report report{.view = "what_if", .title = "What if"};
  report.scope = scope_words(*steps_of(profile));
  report.parameters = input.parameters.all();
  for (Parameter& parameter : report.parameters) {
    if (parameter.key == "step") parameter = step_parameter(profile, input.parameters);
  }
  add_notes(report, *profile, *graph);
  if (!scenario->parts.empty()) add_prediction(report, *profile, *graph, *scenario, identity, *chosen, recorded->bound);
  if (profile->device_work.rows() > 0) {
    const auto top = static_cast<std::size_t>(std::clamp<std::int64_t>(input.parameters.integer("top"), 0, 1000));
    const Gains gains = top == kTop ? recorded->gains : gains_of_names(profile, *graph, selection, top, identity.recorded);
    report.tables.push_back(gain_table().of(gains.rows));
    Panel table{.id = "gains", .title = "What it would win", .content = PlainTable{"gains"}};
    if (Message words = bound_words(recorded->bound, recorded->broad); !words.empty())
      table.notes.push_back({Note::Level::info, std::move(words)});
    if (gains.left_out > 0)
      table.scope = say("{} with less device time not shown", count_words(gains.left_out, "{} name", "{} names"));
    report.panels.push_back(std::move(table));
  }
  report.panels.push_back({.id = "facts", .title = "Replay", .content = graph_facts(*graph, identity)});
  return report;
}

// Device work, or operators on a host: else there is nothing that could be faster.
std::optional<Message> what_if_unavailable(const Profile& profile) {
  if (profile.device_work.rows() > 0 || profile.operators.rows() > 0) return std::nullopt;
  return "no device work and no operators with times in this profile";
}

std::vector<ReportTable> what_if_tables() {
  return {change_table().blank(), blank_before_after(), replayed_step_table().blank(), gain_table().blank()};
}

}  // namespace

Analysis what_if_analysis() {
  return {.id = "what_if",
          .title = "What if",
          .group = ViewGroup::where_time_went,
          .doc = "How long a step would take if something were faster.",
          .parameters =
              {{"change",
                "What changes",
                ParameterType::text,
                "",
                {{"host*0.5", "The host's code takes half as long"},
                 {"category:product*0.5", "Matrix products take half as long"},
                 {"no-sync", "The host waits for no device work"},
                 {"one-graph", "Each step is launched as one graph"}},
                "Changes, separated by ';', such as module:conv*0.5; a wrong one gets the list of all kinds"},
               {"top", "Top", ParameterType::integer, std::to_string(kTop), {}, "How many names of each kind the table shows"},
               {"step", "Step", ParameterType::text, "", {}, "The step that is shown before and after the changes"}},
          .unavailable = what_if_unavailable,
          .run = run_what_if,
          .tables = what_if_tables,
          .slow = true};
}

}  // namespace sightline::analyses
