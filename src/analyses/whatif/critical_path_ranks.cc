// Critical path over ranks: which piece of which rank each step of the job waited for.

#include "analyses/columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/whatif/path_tables.h"
#include "analyses/whatif/rank_path.h"
#include "analyses/whatif/rank_views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

const std::string kJobChain = "chain of binding dependencies over all ranks";

// ---- pieces and steps ----

TableOf<RankPiece, RankGraph> rank_piece_table() {
  TableOf<RankPiece, RankGraph> table(
      {.key = "path",
       .title = "Path",
       .sort_column = "start",
       .sort_descending = false,
       .row_links = {
           {.title = "On the timeline", .view = "timeline", .parameters = {{"slice", "$slice"}}, .worker = "$worker"}}});
  table.add(
      integer_column("start", "Start", Unit::ns, {"Where the piece begins, on the clock of the first rank.", "", kJobChain}),
      [](const RankGraph&, const RankPiece& piece) { return piece.interval.start; });
  table.add(integer_column("length", "Length", Unit::ns, {"Its length.", "end - start", kJobChain}),
            [](const RankGraph&, const RankPiece& piece) { return piece.interval.length(); });
  table.add(label_column("worker", "Worker", "The rank that the piece is on").with_role(ColumnRole::value),
            [](const RankGraph& g, const RankPiece& piece) { return g.ranks[piece.rank].summary->worker; });
  table.add(words_column("kind", "Kind", "What the step waited for"),
            [](const RankGraph&, const RankPiece& piece) { return path_class_words(piece.of); });
  table.add(label_column("name", "Name", "Kernel, call, operator or other range of the host"),
            even_empty([](const RankGraph& g, const RankPiece& piece) {
              const Profile& p = *g.ranks[piece.rank].profile;
              return piece.slice == kNoRow ? std::string_view{} : p.text(p.slices.name[piece.slice]);
            }));
  table.add(
      integer_column("slice", "On the timeline", Unit::id, {"Where the timeline of the rank shows it.", "", "row of slices"})
          .hide(),
      [](const RankGraph&, const RankPiece& piece) { return piece.slice; });
  return table;
}

struct JobPathRow {
  std::int64_t number;
  Time length, on_path;
  std::size_t pieces, changes;  // from rank to rank
  std::string last;             // the worker that ended it
};

TableOf<JobPathRow> job_path_table() {
  TableOf<JobPathRow> table({.key = "steps", .title = "Steps", .sort_column = "step", .sort_descending = false});
  table.add(integer_column("step", "Step", Unit::id, {"Number of the step.", "", "the program"}).with_role(ColumnRole::label),
            &JobPathRow::number);
  table.add(integer_column("length", "Length", Unit::ns,
                           {"Its length: until all ranks have ended it.", "end - end of the step before it", "steps of the job"}),
            &JobPathRow::length);
  table.add(integer_column("on_path", "On the path", Unit::ns,
                           {"Sum of the pieces of the path: exactly the step.", "sum of lengths of pieces", kJobChain}),
            &JobPathRow::on_path);
  table.add(integer_column("pieces", "Pieces", Unit::count, {"Pieces of its path.", "number of pieces", kJobChain}),
            [](const JobPathRow& row) { return static_cast<std::int64_t>(row.pieces); });
  table.add(
      integer_column("changes", "Changes of rank", Unit::count,
                     {"Number of times that the path moves to another rank, in a collective.", "number of changes", kJobChain}),
      [](const JobPathRow& row) { return static_cast<std::int64_t>(row.changes); });
  table.add(text_column("last", "Ended by", "The worker that ended the step"), &JobPathRow::last);
  return table;
}

JobPathRow job_path_row(const RankGraph& graph, const JobStep& step, const std::vector<RankPiece>& path) {
  JobPathRow row{step.number, step.window.length(), 0, path.size(), 0, {}};
  for (std::size_t i = 0; i < path.size(); ++i) {
    row.on_path += path[i].interval.length();
    row.changes += i > 0 && path[i].rank != path[i - 1].rank;
  }
  if (!path.empty()) row.last = graph.ranks[path.back().rank].summary->worker;
  return row;
}

// ---- the report ----

Result<std::vector<const JobStep*>> chosen_steps(const RankGraph& graph, const std::string& given) {
  const auto number = optional_number("step", given);
  if (!number) return number.error();
  std::vector<const JobStep*> steps;
  std::string known;
  for (const JobStep& step : graph.steps) {
    if (!*number || step.number == **number) steps.push_back(&step);
    known += (known.empty() ? "" : ", ") + std::to_string(step.number);
  }
  if (!steps.empty()) return steps;
  return Error{ErrorCode::invalid_argument, say("no step {} on all ranks; their steps are {}", **number, known), ""};
}

template <typename Table>
void add_rank_table(Report& report, Table table) {
  Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
  report.tables.push_back(std::move(table));
  report.panels.push_back(std::move(panel));
}

FactSheet job_path_facts(const std::vector<JobPathRow>& steps) {
  const auto doc = [](const MetricDoc& of) { return of.text(); };
  Time length = 0, on_path = 0;
  std::size_t changes = 0;
  for (const JobPathRow& step : steps) length += step.length, on_path += step.on_path, changes += step.changes;
  const double count = static_cast<double>(steps.size());
  return {{{"Step", cell(quotient(static_cast<double>(length), count)), Unit::ns,
            doc({"Mean length of the steps of the job.", "sum of lengths / number of steps", "steps of the job"})},
           {"On the path", cell(quotient(static_cast<double>(on_path), count)), Unit::ns,
            doc({"Sum of the pieces of the path: exactly the step.", "sum of lengths / number of steps", kJobChain})},
           {"Changes of rank", Cell{static_cast<std::int64_t>(changes)}, Unit::count,
            doc({"Number of times that the path moves to another rank, in a collective.", "number of changes", kJobChain})}}};
}

Result<Report> run_critical_path_ranks(const AnalysisInput& input) {
  const Result<RankGraph> graph = rank_graph_of(input);
  if (!graph) return graph.error();
  const auto chosen = chosen_steps(*graph, input.parameters.text("step"));
  if (!chosen) return chosen.error();
  const RankPath paths(*graph);
  std::vector<JobPathRow> steps;
  PathTables tables(true);
  for (const GraphRank& rank : graph->ranks) tables.add_rank(*rank.profile, rank.summary->worker);
  std::vector<RankPiece> first;  // the pieces that are listed, and their step
  std::int64_t first_step = chosen->front()->number;
  Time length = 0;
  for (const JobStep* step : *chosen) {
    const std::vector<RankPiece> path = paths.of(*step);
    steps.push_back(job_path_row(*graph, *step, path));
    length += step->window.length();
    for (const RankPiece& piece : path) tables.add(piece.rank, {piece.interval, piece.of, piece.slice});
    if (first.empty() && !path.empty()) first = path, first_step = step->number;
  }
  Report report{.view = "critical_path_ranks", .title = "Critical path over ranks"};
  report.scope = chosen->size() == 1
                     ? say("{}, step {}", count_words(std::ssize(graph->ranks), "{} rank", "{} ranks"), chosen->front()->number)
                     : rank_scope(*graph);
  report.parameters = input.parameters.all();
  report.notes = rank_notes(*graph);
  report.panels.push_back({.id = "facts", .title = "Critical path", .content = job_path_facts(steps)});
  tables.add_to(report, chosen->size(), length);
  if (steps.size() > 1) add_rank_table(report, job_path_table().of(steps));
  add_rank_table(report, rank_piece_table().of(*graph, first));
  report.panels.back().scope = say("step {}", first_step);
  report.panels.push_back({.id = "replay", .title = "Replay", .content = rank_facts(*graph)});
  return report;
}

std::vector<ReportTable> critical_path_ranks_tables() {
  std::vector<ReportTable> tables = PathTables::blank(true);
  tables.push_back(job_path_table().blank());
  tables.push_back(rank_piece_table().blank());
  return tables;
}

}  // namespace

Analysis critical_path_ranks_analysis() {
  return {.id = "critical_path_ranks",
          .title = "Critical path over ranks",
          .group = ViewGroup::across_ranks,
          .doc = "Which piece of which rank each step of the job waited for.",
          .parameters = {{"step", "Step", ParameterType::text, "", {}, "Only the step of this number"}},
          .unavailable = joined_ranks_unavailable,
          .run = run_critical_path_ranks,
          .tables = critical_path_ranks_tables};
}

}  // namespace sightline::analyses
