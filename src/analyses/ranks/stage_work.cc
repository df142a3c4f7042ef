// Sets of intervals of the passes, cut by the steps.
#include "analyses/ranks/stage_work.h"

#include <algorithm>
#include <unordered_set>

#include "analyses/steps/step_passes.h"

namespace sightline::analyses {

namespace {

struct WorkSets {
  IntervalSet forward, backward, recomputing;
  IntervalSet passes;  // all three
  IntervalSet busy;    // all work but transfers
};

WorkSets work_sets(const Profile& profile, const RankSummary& rank) {
  std::unordered_set<Row> transfers;
  for (const RankCollective& one : rank.collectives) {
    if (is_transfer(one.kind)) transfers.insert(one.slice);
  }
  std::vector<Interval> forward, backward, recomputing, busy;
  const std::vector<Pass> passes = passes_of_work(profile);
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const Row slice = profile.device_work.slice[work];
    if (transfers.contains(slice)) continue;
    const Interval interval{profile.slices.start[slice], profile.end_of(slice)};
    busy.push_back(interval);
    if (profile.slices.kind[slice] != SliceKind::kernel) continue;
    if (passes[work] == Pass::forward) forward.push_back(interval);
    if (passes[work] == Pass::backward) backward.push_back(interval);
    if (passes[work] == Pass::recomputation) recomputing.push_back(interval);
  }
  WorkSets sets{.forward = merge(std::move(forward)),
                .backward = merge(std::move(backward)),
                .recomputing = merge(std::move(recomputing)),
                .passes = {},
                .busy = merge(std::move(busy))};
  sets.passes = unite_all({sets.forward, sets.backward, sets.recomputing});
  return sets;
}

// From the first to the last time of the set inside the window.
Interval extent_within(const IntervalSet& set, Interval window) {
  const auto first = std::partition_point(set.begin(), set.end(), [&](const Interval& each) { return each.end <= window.start; });
  const auto last = std::partition_point(first, set.end(), [&](const Interval& each) { return each.start < window.end; });
  if (first == last) return {window.start, window.start};
  return {std::max(first->start, window.start), std::min(std::prev(last)->end, window.end)};
}

}  // namespace

std::vector<StageWork> stage_work_of(const Profile& profile, const RankSummary& rank) {
  const bool transfers = std::any_of(rank.collectives.begin(), rank.collectives.end(),
                                     [](const RankCollective& one) { return is_transfer(one.kind); });
  if (!transfers || !rank.computes_on_device) return {};
  const WorkSets sets = work_sets(profile, rank);
  const bool trains = !sets.backward.empty();
  std::vector<StageWork> all;
  for (const RankStep& step : rank.steps) {
    StageWork one{.extent = extent_within(trains ? sets.passes : sets.busy, step.window)};
    one.busy = length_within(sets.busy, one.extent);
    if (trains) {
      one.forward = length_within(sets.forward, one.extent);
      one.backward = length_within(sets.backward, one.extent);
      if (one.backward > 0) one.backward_start = extent_within(sets.backward, one.extent).start;
      one.recomputing = length_within(sets.recomputing, one.extent);
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace sightline::analyses
