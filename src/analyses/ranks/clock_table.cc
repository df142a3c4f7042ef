#include "analyses/ranks/clock_table.h"

#include <cmath>

#include "analyses/columns.h"

namespace sightline::analyses {

Message clock_rule_title(ClockRule rule) {
  switch (rule) {
    case ClockRule::reference: return "Reference";
    case ClockRule::one_clock: return "Clock of the host";
    case ClockRule::collective_ends: return "Ends of collectives";
    case ClockRule::order_of_ends: return "Ends of collectives, by order";
    case ClockRule::unknown: break;
  }
  return "Not known";
}

namespace {

constexpr std::string_view kEnds =
    "collectives that end on all ranks together (all-reduce, all-gather, reduce-scatter, all-to-all, barrier), matched across "
    "ranks";
constexpr double kPerMillion = 1e6;

struct ClockRow {
  const RankSummary* rank;
  const RankClock* clock;
  const RankSummary* through;
};

double known(const ClockRow& row, double value) { return row.clock->is_known() ? value : kUnknownNumber; }

TableOf<ClockRow> clocks() {
  TableOf<ClockRow> table(
      {.key = "clocks",
       .title = "Clocks of the ranks",
       .row_links = {
           {.title = "Ranks on one axis", .view = "timeline", .parameters = {{"timeline.ranks", "span"}}, .worker = "$worker"}}});
  table.add(label_column("worker", "Worker", "Name of the worker, from its file's name"),
            [](const ClockRow& row) { return row.rank->worker; });
  table.add(
      integer_column("rank", "Rank", Unit::id, {"Index in the job, as recorded", "", ""}).with_unknown("the file does not say"),
      [](const ClockRow& row) { return row.rank->rank; });
  table.add(text_column("host", "Host", "Its host, as recorded").with_unknown("the file does not say"),
            [](const ClockRow& row) { return row.rank->host; });
  table.add(
      real_column("offset", "Offset", Unit::ns,
                  {"How far its clock is ahead of the clock of the first rank, after the Unix times of the files where all "
                   "state them.",
                   "median of (end on this rank - end on the rank that it is compared with) + offset of that rank", kEnds, kNew})
          .with_sums(false)
          .with_unknown("it is not known"),
      [](const ClockRow& row) { return known(row, row.clock->offset); });
  table.add(
      real_column("spread", "Spread", Unit::ns,
                  {"How well the offset is known. It is accepted up to 50 µs, or 5% of the median collective if that is more.",
                   "interquartile range of the differences + spread of the rank that it is compared with", kEnds, kNew})
          .with_sums(false)
          .with_unknown("no collective measures it"),
      [](const ClockRow& row) { return known(row, row.clock->spread); });
  table.add(real_column("drift", "Drift (ppm)", Unit::none,
                        {"How much faster its clock runs than that of the first rank, in millionths.",
                         "slope between the medians of the first and the last third of the differences", kEnds, kNew})
                .with_sums(false)
                .with_unknown("known only from collectives over more than 10 s"),
            [](const ClockRow& row) { return known(row, row.clock->drift * kPerMillion); });
  table.add(integer_column("ends", "Ends", Unit::count,
                           {"Differences of ends that the offset is the median of; at least 5 are needed. Through several ranks: "
                            "the fewest.",
                            "", kEnds}),
            [](const ClockRow& row) { return row.clock->is_known() ? row.clock->ends : kUnknown; });
  table.add(text_column("through", "Compared with", "The worker whose clock it is compared with"),
            [](const ClockRow& row) { return row.through == nullptr ? std::string() : row.through->worker; });
  table.add(words_column("rule", "Known by", "The rule by which the clock is known"),
            [](const ClockRow& row) { return clock_rule_title(row.clock->rule); });
  table.add(integer_column("checked", "Transfers checked", Unit::count,
                           {"Transfers from rank to rank, which must not end at the receiver before they begin at the sender", "",
                            "sends and receives, matched across ranks"}),
            [](const ClockRow& row) { return row.clock->checked > 0 ? row.clock->checked : kUnknown; });
  table.add(integer_column("violated", "Contradicting", Unit::count,
                           {"Of these, transfers that end before they begin by the aligned clocks, by more than the spread", "",
                            "sends and receives, matched across ranks"}),
            [](const ClockRow& row) { return row.clock->checked > 0 ? row.clock->violated : kUnknown; });
  table.add(words_column("why", "Why not known", "Why the clock is not on the axis"),
            [](const ClockRow& row) { return row.clock->why; });
  return table;
}

}  // namespace

ReportTable blank_clocks() { return clocks().blank(); }

ReportTable clocks_table(std::span<const RankSummaryPtr> ranks, std::span<const RankClock> all) {
  std::vector<ClockRow> rows;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const bool compared = all[i].is_known() && all[i].rule != ClockRule::reference;
    rows.push_back({ranks[i].get(), &all[i], compared ? ranks[all[i].through].get() : nullptr});
  }
  return clocks().of(rows);
}

}  // namespace sightline::analyses
