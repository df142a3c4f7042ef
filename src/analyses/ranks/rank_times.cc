// RankTimes: unions of the parts of collectives, cut by the steps.
#include "analyses/ranks/rank_times.h"

#include <algorithm>

#include "analyses/steps/outliers.h"

namespace sightline::analyses {

namespace {

constexpr double RankTimes::*kAll[] = {&RankTimes::total,         &RankTimes::computation, &RankTimes::overlap,
                                       &RankTimes::communication, &RankTimes::other,       &RankTimes::transfer,
                                       &RankTimes::waiting,       &RankTimes::unmatched,   &RankTimes::caused,
                                       &RankTimes::delay,         &RankTimes::last,        &RankTimes::outlying};

struct Parts {
  IntervalSet transfer, waiting, unmatched;
};

// A collective's data moves at its end, as long as on the rank that came last.
Parts parts_of(const RankSummary& rank, const std::vector<std::uint32_t>& match_of, const CollectiveMatch& match) {
  IntervalSet all, matched;
  std::vector<Interval> moving;
  for (std::size_t i = 0; i < rank.collectives.size(); ++i) {
    const Interval interval = rank.collectives[i].interval;
    extend(all, interval);
    if (match_of[i] == kNoMatch) continue;
    extend(matched, interval);
    moving.push_back({interval.end - match.matched[match_of[i]].transfer, interval.end});
  }
  Parts parts;
  parts.transfer = merge(std::move(moving));
  parts.waiting = subtract(matched, parts.transfer);
  parts.unmatched = subtract(all, matched);
  return parts;
}

double length_in(const IntervalSet& set, Interval window) { return static_cast<double>(length_within(set, window)); }

std::vector<RankTimes> times_of_steps(const RankSummary& rank, const Parts& parts) {
  std::vector<RankTimes> steps;
  for (const RankStep& step : rank.steps) {
    RankTimes times;
    times.total = static_cast<double>(step.window.length());
    times.computation = static_cast<double>(step.computation);
    times.overlap = static_cast<double>(step.overlap);
    times.communication = static_cast<double>(step.communication);
    times.other = static_cast<double>(step.other);
    times.transfer = length_in(parts.transfer, step.window);
    times.waiting = length_in(parts.waiting, step.window);
    times.unmatched = length_in(parts.unmatched, step.window);
    steps.push_back(times);
  }
  return steps;
}

// Whether the shortest time in it is an outlier: then its rank came so late that chance does not explain it. Only where all its
// ranks are here, and for what every rank takes part in.
bool is_last_outlying(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match, const MatchedCollective& one) {
  std::vector<double> lengths;
  for (const CollectiveMember& member : match.of(one)) {
    const RankCollective& call = ranks[member.rank]->collectives[member.index];
    const bool between_two =
        call.kind == CollectiveKind::send || call.kind == CollectiveKind::receive || call.kind == CollectiveKind::send_receive;
    if (one.partial || between_two) return false;
    lengths.push_back(static_cast<double>(call.interval.length()));
  }
  std::sort(lengths.begin(), lengths.end());
  return is_least_outlying(lengths);
}

void add_causes(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match, std::vector<TimesOfRank>& times) {
  for (const MatchedCollective& one : match.matched) {
    const auto members = match.of(one);
    const auto last = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.rank == one.last_rank; });
    const std::uint32_t step = ranks[last->rank]->collectives[last->index].step;
    if (step == kNoStep) continue;
    RankTimes& at = times[last->rank].steps[step];
    at.caused += static_cast<double>(one.waited);
    at.delay += static_cast<double>(one.delay);
    at.last += 1;
    at.outlying += is_last_outlying(ranks, match, one);
  }
}

void add_mean(TimesOfRank& times) {
  for (const RankTimes& step : times.steps) {
    if (step.total <= 0) continue;
    ++times.counted;
    for (const auto member : kAll) times.mean.*member += step.*member;
  }
  if (times.counted == 0) return;
  for (const auto member : kAll) times.mean.*member /= static_cast<double>(times.counted);
}

}  // namespace

std::vector<TimesOfRank> times_of_ranks(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match) {
  std::vector<TimesOfRank> times(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    times[i].steps = times_of_steps(*ranks[i], parts_of(*ranks[i], match.match_of[i], match));
  }
  add_causes(ranks, match, times);
  for (TimesOfRank& of_rank : times) add_mean(of_rank);
  return times;
}

}  // namespace sightline::analyses
