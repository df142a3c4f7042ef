#include "analyses/serving/step_skew.h"

#include <algorithm>
#include <map>

#include "analyses/columns.h"
#include "analyses/ranks/clock_alignment.h"
#include "analyses/ranks/distributed_tables.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

struct SkewRow {
  std::int64_t number = 0, ranks = 0;
  Time first = 0, last = 0;  // starts on the axis of the first rank
  std::string earliest, latest;
};

TableOf<SkewRow> skew_columns() {
  TableOf<SkewRow> table({.key = "skew", .title = "Skew of step starts over ranks", .sort_column = "skew"});
  constexpr std::string_view kSource = "steps of all ranks whose clocks are on one axis";
  table.add(integer_column("number", "Step", Unit::id, {"Number of the step", "", ""}).with_role(ColumnRole::label),
            &SkewRow::number);
  table.add(integer_column(
                "skew", "Skew", Unit::ns,
                {"How much later the last rank begins the step than the first.", "latest start - earliest start", kSource, kNew})
                .with_sums(false),
            [](const SkewRow& row) { return row.last - row.first; });
  table.add(integer_column("ranks", "Ranks", Unit::count, {"How many ranks have the step.", "number of ranks", kSource, kNew})
                .with_sums(false),
            &SkewRow::ranks);
  table.add(text_column("earliest", "First", "The worker that begins it first"), &SkewRow::earliest);
  table.add(text_column("latest", "Last", "The worker that begins it last"), &SkewRow::latest);
  return table;
}

void add_start(std::map<std::int64_t, SkewRow>& rows, std::int64_t number, Time start, const std::string& worker) {
  SkewRow& row = rows[number];
  row.number = number;
  if (row.ranks == 0 || start < row.first) {
    row.first = start;
    row.earliest = worker;
  }
  if (row.ranks == 0 || start > row.last) {
    row.last = start;
    row.latest = worker;
  }
  ++row.ranks;
}

}  // namespace

ReportTable blank_skew_table() { return skew_columns().blank(); }

void add_step_skew(Report& report, std::span<const RankSummaryPtr> ranks, const RankSummary& own) {
  std::vector<RankSummaryPtr> job = by_rank(ranks);
  std::erase_if(job, [&](const RankSummaryPtr& rank) { return rank->role != own.role; });  // steps of roles are not the same
  const auto is_same = [](const RankSummaryPtr& a, const RankSummaryPtr& b) { return a->rank == b->rank; };
  // Recordings that happen to be in one folder are no job.
  if (job.size() < 2 || std::adjacent_find(job.begin(), job.end(), is_same) != job.end()) return;
  const std::vector<RankClock> clocks = align_clocks(job, match_collectives(job));
  std::map<std::int64_t, SkewRow> steps;
  std::int64_t unknown = 0;
  for (std::size_t i = 0; i < job.size(); ++i) {
    unknown += !clocks[i].is_known();
    if (!clocks[i].is_known() || !job[i]->has_recorded_steps) continue;
    for (const RankStep& step : job[i]->steps)
      add_start(steps, step.number, clocks[i].on_axis(step.window.start), job[i]->worker);
  }
  std::vector<SkewRow> rows;
  for (auto& [number, row] : steps) {
    if (row.ranks > 1) rows.push_back(std::move(row));
  }
  report.tables.push_back(skew_columns().of(rows));
  Panel panel{.id = "skew", .title = "Skew of step starts over ranks", .content = PlainTable{"skew"}};
  panel.empty = "No step was recorded on two ranks whose clocks can be compared: the view Distributed says why.";
  if (unknown > 0)
    panel.notes.push_back({Note::Level::warning,
                           say("Left out: {}, whose clocks cannot be compared.", count_words(unknown, "{} rank", "{} ranks"))});
  report.panels.push_back(std::move(panel));
}

}  // namespace sightline::analyses
