// What if, over ranks: how long a step of the job would take if something were faster on all ranks or on one, with the ranks
// waiting for each other in collectives.
#include <algorithm>
#include <cmath>

#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/whatif/before_after.h"
#include "analyses/whatif/rank_scenario.h"
#include "analyses/whatif/rank_views.h"
#include "analyses/words.h"
#include "base/parallel.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

const std::string kJointReplays = "replays of the joined dependency graphs";
const std::string kRankSource = "dependency graphs of the ranks";
const std::string kJobGain = "(recorded step - predicted step) / recorded step";

double job_gain(double recorded, double predicted) { return quotient(recorded - predicted, recorded); }

// ---- the prediction ----

TableOf<RankScenarioPart> rank_change_table() {
  TableOf<RankScenarioPart> table({.key = "changes", .title = "Changes", .sort_column = "time"});
  table.add(label_column("change", "What changes", "The change as entered"), &RankScenarioPart::text);
  table.add(
      integer_column("ranks", "Ranks", Unit::count, {"On how many ranks it changes something.", "number of ranks", kRankSource}),
      &RankScenarioPart::ranks);
  table.add(
      integer_column("works", "Device work", Unit::count,
                     {"Kernels, copies, fills and collectives that it changes.", "number of pieces of device work", kRankSource}),
      [](const RankScenarioPart& part) { return part.works > 0 ? part.works : kUnknown; });
  table.add(
      integer_column("time", "Time", Unit::ns,
                     {"Time of the device work or of the host that it changes, or the waiting that it removes, of all ranks in "
                      "the whole recording.",
                      "sum of lengths", kRankSource}),
      &RankScenarioPart::time);
  table.add(flag_column("at_most", "At most", {"Whether the gain is a bound that can only be approached.", "", "kind of change"}),
            &RankScenarioPart::at_most);
  return table;
}

struct JobStepRow {
  std::int64_t number;
  Time recorded, predicted;
};

TableOf<JobStepRow> job_step_table() {
  TableOf<JobStepRow> table({.key = "steps", .title = "Steps", .sort_column = "step", .sort_descending = false});
  table.add(integer_column("step", "Step", Unit::id, {"Number of the step.", "", "the program"}).with_role(ColumnRole::label),
            &JobStepRow::number);
  table.add(integer_column("recorded", "As recorded", Unit::ns, {"Length as recorded.", "end - start", "steps of the job"})
                .with_category("baseline"),
            &JobStepRow::recorded);
  table.add(integer_column("predicted", "Predicted", Unit::ns, {"Length with the changes.", "end - start", kJointReplays})
                .with_category("compared"),
            &JobStepRow::predicted);
  table.add(
      real_column("gain", "Gain", Unit::share,
                  {"What the changes win.", "(recorded - predicted) / recorded", "recorded and predicted steps"}),
      [](const JobStepRow& row) { return job_gain(static_cast<double>(row.recorded), static_cast<double>(row.predicted)); });
  return table;
}

// ---- one step, before and after ----

constexpr std::size_t kMostRanks = 8;
constexpr MostLanes kLanesOfRank{.host = 1, .device = 1};

// The ranks whose own end of the step moves most, in their order.
std::vector<std::uint32_t> ranks_that_move(const RankGraph& graph, const RankReplay& found, const JobStep& step) {
  std::vector<std::uint32_t> ranks(graph.ranks.size());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) ranks[i] = i;
  const auto moved = [&](std::uint32_t rank) {
    const std::uint32_t own = step.steps[rank];
    return std::abs(found.steps[rank][own].end - graph.ranks[rank].graph->steps[own].window.end);
  };
  sort_down(ranks, [&](auto each) { return moved(each); });
  ranks.resize(std::min(ranks.size(), kMostRanks));
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

void add_job_before_after(Report& report, const RankGraph& graph, const RankReplay& replayed) {
  const std::size_t shown = usual_step(graph.steps);
  const JobStep& step = graph.steps[shown];
  const Interval job = replayed.job[shown];
  BeforeAfter found{.recorded = step.window.length(), .predicted = job.length(), .pieces = {}, .left_out = 0};
  PieceProfiles of;
  const std::vector<std::uint32_t> ranks = ranks_that_move(graph, replayed, step);
  for (const std::uint32_t rank : ranks) {
    const GraphRank& own = graph.ranks[rank];
    const Time start = own.graph->steps[step.steps[rank]].window.start, shift = own.clock.on_axis(start) - start;
    const auto on_own_clock = [&](Interval window) { return Interval{window.start - shift, window.end - shift}; };
    add_lanes(found, *own.profile, *own.graph, step.steps[rank], {own.graph->time, own.graph->length, on_own_clock(step.window)},
              {replayed.times[rank], replayed.lengths[rank], on_own_clock(job)}, kLanesOfRank,
              static_cast<std::uint32_t>(of.profiles.size()));
    of.profiles.push_back(own.profile.get());
    of.workers.push_back(own.summary->worker);
  }
  sort_up(found.pieces, &LanePiece::predicted);
  add_before_after_panel(report, found, of,
                         say("step {}: {} recorded, {} predicted", std::to_string(step.number),
                             time_words(static_cast<double>(found.recorded)), time_words(static_cast<double>(found.predicted))));
  if (ranks.size() < graph.ranks.size())
    report.panels.back().notes.push_back(
        {Note::Level::info, say("the {} ranks that the changes move most, of {}", static_cast<std::int64_t>(ranks.size()),
                                static_cast<std::int64_t>(graph.ranks.size()))});
}

void add_job_prediction(Report& report, const RankGraph& graph, const RankScenario& scenario, double recorded) {
  const RankReplay found = replay(graph, scenario.change);
  const auto doc = [](const MetricDoc& of) { return of.text(); };
  FactSheet sheet;
  sheet.facts = {{"Recorded step", cell(recorded), Unit::ns,
                  doc({"Mean length of the job's steps.", "sum of lengths / number of steps", "steps of the job"})},
                 {"Predicted step", cell(found.mean), Unit::ns,
                  doc({"Mean length of the same steps with the changes.", "sum of lengths / number of steps", kJointReplays})},
                 {"Gain", cell(job_gain(recorded, found.mean)), Unit::share,
                  doc({"What the changes win.", "(recorded - predicted) / recorded", "recorded and predicted steps"})},
                 {"The gain is", scenario.at_most ? Message("at most this") : Message("a prediction"), Unit::none,
                  "At most: a change can only be approached, such as work that takes no time."}};
  report.panels.push_back({.id = "prediction", .title = "Prediction", .content = std::move(sheet)});
  report.tables.push_back(rank_change_table().of(scenario.parts));
  report.panels.push_back({.id = "changes", .title = "Changes", .content = PlainTable{"changes"}});
  add_job_before_after(report, graph, found);
  std::vector<JobStepRow> rows;
  for (std::size_t i = 0; i < graph.steps.size(); ++i)
    rows.push_back({graph.steps[i].number, graph.steps[i].window.length(), found.job[i].length()});
  report.tables.push_back(job_step_table().of(rows));
  if (rows.size() > 1) {
    report.panels.push_back({.id = "steps",
                             .title = "Steps",
                             .content = BarChart{.table = "steps", .x = "step", .series = {"recorded", "predicted"}}});
  }
}

// ---- what each rank would win ----

struct RankRow {
  std::string rank, worker;
  double step = 0, waiting = 0, caused = 0;  // ns per step
  double gain = kUnknownNumber;
  std::string change;
};

TableOf<RankRow> rank_table() {
  TableOf<RankRow> table({.key = "ranks", .title = "Gain if the rank were as fast as the others", .sort_column = "gain"});
  table.add(label_column("worker", "Worker", "Name of the worker"), &RankRow::worker);
  table.add(text_column("rank", "Rank", "Its number in the job"), &RankRow::rank);
  table.add(real_column("step", "Step", Unit::ns, {"Mean length of its own steps.", "sum of lengths / number of steps", "steps"}),
            &RankRow::step);
  table.add(real_column("waiting", "Waits", Unit::ns,
                        {"How long it waits in joined collectives for the rank that comes last.",
                         "sum of (last arrival - own arrival) / number of steps", kRankSource}),
            &RankRow::waiting);
  table.add(real_column("caused", "Waited for", Unit::ns,
                        {"How long all others wait for it, because it comes last.",
                         "sum of (own arrival - arrival of the other) / number of steps", kRankSource}),
            &RankRow::caused);
  table.add(
      real_column("gain", "Gain if as the median", Unit::share,
                  {"How much shorter a step of the job would be if the kernels and the host's code of this rank took as long as "
                   "those of the other ranks of its role, by their median.",
                   kJobGain, kJointReplays})
          .with_unknown("others wait longer for other ranks; see the parameter top"),
      &RankRow::gain);
  table.add(code_column("change", "What changes", "The change, for the parameter of this view").hide(), &RankRow::change);
  table.add_link({.title = "What if it took the median time", .view = "what_if_ranks", .parameters = {{"change", "$change"}}});
  table.add_link({.title = "Critical path of this rank", .view = "critical_path", .parameters = {}, .worker = "$worker"});
  return table;
}

// By rank: how long others wait for it in joined collectives.
std::vector<Time> waiting_caused(const RankGraph& graph) {
  std::vector<Time> caused(graph.ranks.size(), 0);
  for (const JoinedCollective& one : graph.collectives) {
    for (const JoinedMember& member : graph.of(one)) {
      const Time waits = one.arrival - (graph.ranks[member.rank].graph->time[member.node] + member.shift);
      if (member.waits && waits > 0) caused[graph.members[one.last].rank] += waits;
    }
  }
  return caused;
}

std::vector<RankRow> rank_rows(const RankGraph& graph) {
  const double steps = static_cast<double>(graph.steps.size());
  std::vector<RankRow> rows;
  for (std::uint32_t i = 0; i < graph.ranks.size(); ++i) {
    const GraphRank& rank = graph.ranks[i];
    Time own = 0;
    for (const JobStep& step : graph.steps) own += rank.graph->steps[step.steps[i]].window.length();
    rows.push_back({.rank = rank_name(rank),
                    .worker = rank.summary->worker,
                    .step = quotient(static_cast<double>(own), steps),
                    .waiting = quotient(static_cast<double>(waiting_of(graph, i)), steps),
                    .change = "rank:\"" + rank_name(rank) + "\" as-median"});
  }
  const std::vector<Time> caused = waiting_caused(graph);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].caused = quotient(static_cast<double>(caused[i]), steps);
  return rows;
}

// Of the ranks that others wait for longest; of further ones, the gain stays unknown.
void add_rank_gains(std::vector<RankRow>& rows, const RankGraph& graph, std::size_t top, double recorded) {
  std::vector<std::uint32_t> order(rows.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_down(order, [&](auto each) { return rows[each].caused; });
  order.resize(std::min(top, order.size()));
  parallel_for(order.size(), default_threads(),
               [&](std::size_t i) { rows[order[i]].gain = job_gain(recorded, replay(graph, as_median(graph, order[i])).mean); });
}

double balance_gain(const RankGraph& graph, double recorded) {
  RankChange change = unchanged(graph);
  change.no_waiting = true;
  return job_gain(recorded, replay(graph, std::move(change)).mean);
}

Result<Report> run_what_if_ranks(const AnalysisInput& input) {
  Result<RankGraph> graph = rank_graph_of(input);
  if (!graph) return graph.error();
  const Result<RankScenario> scenario = make_rank_scenario(*graph, input.parameters.text("change"));
  if (!scenario) return scenario.error();
  Report report{.view = "what_if_ranks", .title = "What if, over ranks"};
  report.scope = rank_scope(*graph);
  report.parameters = input.parameters.all();
  report.notes = rank_notes(*graph);
  const double recorded = replay(*graph, unchanged(*graph)).mean;
  if (!scenario->parts.empty()) add_job_prediction(report, *graph, *scenario, recorded);
  std::vector<RankRow> rows = rank_rows(*graph);
  const auto top = static_cast<std::size_t>(std::clamp<std::int64_t>(input.parameters.integer("top"), 0, 1000));
  add_rank_gains(rows, *graph, top, recorded);
  report.tables.push_back(rank_table().of(rows));
  Panel ranks{.id = "ranks", .title = "Gain if the rank were as fast as the others", .content = PlainTable{"ranks"}};
  ranks.notes.push_back({Note::Level::info, say("If no rank waited for another (no-waiting), a step would be at most {} shorter.",
                                                share_words(balance_gain(*graph, recorded)))});
  report.panels.push_back(std::move(ranks));
  report.panels.push_back({.id = "facts", .title = "Replay", .content = rank_facts(*graph)});
  return report;
}

std::vector<ReportTable> what_if_ranks_tables() {
  return {rank_change_table().blank(), blank_before_after(), job_step_table().blank(), rank_table().blank()};
}

}  // namespace

Analysis what_if_ranks_analysis() {
  return {
      .id = "what_if_ranks",
      .title = "What if, over ranks",
      .group = ViewGroup::across_ranks,
      .doc = "How long a step of the job would take if a rank, or something on all ranks, were faster.",
      .parameters = {{"change",
                      "What changes",
                      ParameterType::text,
                      "",
                      {{"no-waiting", "No rank waits for another"},
                       {"host*0.5", "The host's code takes half as long"},
                       {"category:communication*0.5", "Transfers take half as long"}},
                      "Changes, separated by ';', such as rank:3 as-median, rank:3 host*0.5 or no-waiting; those of What if hold "
                      "on all ranks"},
                     {"top", "Top", ParameterType::integer, "16", {}, "For how many ranks the gain is computed"}},
      .unavailable = joined_ranks_unavailable,
      .run = run_what_if_ranks,
      .tables = what_if_ranks_tables};
}

}  // namespace sightline::analyses
