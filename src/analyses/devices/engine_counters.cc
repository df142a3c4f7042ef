// Busy shares in buckets, by engine; and the rates of work that says how many operations it did.
#include "analyses/devices/engine_counters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"

namespace sightline::analyses {

namespace {

constexpr Time kMostEngineBuckets = 20'000;  // those in which nothing works take no room

// Least power of ten ns of which at most 20,000 make up the window: a program may work for microseconds of a recording of ms.
Time bucket_of(Interval window) {
  Time bucket = 1;
  while (window.length() > kMostEngineBuckets * bucket) bucket *= 10;
  return bucket;
}

Counter utilization(const std::map<std::string_view, IntervalSet>& busy, Interval window) {
  Counter counter{"Engine utilization",
                  MetricDoc{"Share of the time that each engine worked, in buckets.",
                            say("length of (union of work ∩ bucket) / length of the bucket; {}", kEngineBuckets),
                            "work of the device's engines or streams; waiting for others does not count"}
                      .text(),
                  Unit::percent,
                  kNoRow,
                  {}};
  for (const auto& [engine, work] : busy) counter.series.push_back(busy_shares(std::string(engine), work, window));
  counter.named = true;
  return counter;
}

// How fast the device computes: work whose operations are known does them evenly over its length.
Counter operation_rate(const Profile& profile, std::int64_t device) {
  Counter counter{"Operation rate",
                  MetricDoc{"Floating-point operations per second.",
                            "sum of operations / duration over the work that is running, without work of length 0",
                            "operations and bytes of each work item, and its slices"}
                      .text(),
                  Unit::flops_per_second,
                  kNoRow,
                  {{"operations", {}, {}}}};
  struct Change {
    double rate = 0;
    std::int64_t open = 0;  // what began less what ended
  };
  std::map<Time, Change> changes;
  const WorkCosts& costs = profile.work_costs;
  for (Row cost = 0; cost < costs.rows(); ++cost) {
    const Row slice = costs.slice[cost];
    const Time duration = profile.slices.duration[slice];
    if (!(costs.flops[cost] > 0) || duration <= 0 || profile.lanes.device[profile.slices.lane[slice]] != device) continue;
    const double rate = costs.flops[cost] / static_cast<double>(duration) * 1e9;
    Change& begin = changes[profile.slices.start[slice]];
    begin.rate += rate;
    ++begin.open;
    Change& end = changes[profile.end_of(slice)];
    end.rate -= rate;
    --end.open;
  }
  double rate = 0;
  std::int64_t open = 0;
  for (const auto& [time, change] : changes) {
    open += change.open;
    rate = open == 0 ? 0 : rate + change.rate;  // no residue of floating sums where nothing runs
    counter.series[0].set(time, rate);
  }
  return counter;
}

}  // namespace

bool has_engines(const Profile& profile, std::int64_t device) {
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.kind[lane] == LaneKind::engine && profile.lanes.device[lane] == device) return true;
  }
  return false;
}

CounterSeries busy_shares(Message title, const IntervalSet& work, Interval window) {
  const Time bucket = bucket_of(window);
  CounterSeries series{std::move(title), {}, {}};
  // Only buckets that some work reaches into: all others are 0.
  Time next = window.start;
  for (const Interval& interval : work) {
    Time start = std::max(next, window.start + (interval.start - window.start) / bucket * bucket);
    if (start > next || next == window.start) series.set(next, 0);
    for (; start < interval.end && start < window.end; start += bucket) {
      const Interval within{start, std::min(start + bucket, window.end)};
      series.set(start, 100 * static_cast<double>(length_within(work, within)) / static_cast<double>(within.length()));
      next = within.end;
    }
  }
  if (next < window.end) series.set(next, 0);
  series.set(window.end, 0);
  return series;
}

std::vector<Counter> engine_counters(const Profile& profile, std::int64_t device) {
  std::map<std::string_view, std::vector<Interval>> work;
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.kind[lane] != LaneKind::engine || profile.lanes.device[lane] != device) continue;
    for (Row slice = profile.lanes.first[lane]; slice < profile.lanes.last[lane]; ++slice) {
      if (is_kernel(profile.slices.kind[slice]))
        work[profile.text(profile.lanes.track[lane])].push_back({profile.slices.start[slice], profile.end_of(slice)});
    }
  }
  std::map<std::string_view, IntervalSet> busy;
  for (auto& [engine, intervals] : work) busy[engine] = merge(std::move(intervals));
  const Interval window{profile.span_start, profile.span_end};
  if (busy.empty() || window.length() <= 0) return {};
  return {utilization(busy, window), operation_rate(profile, device)};
}

}  // namespace sightline::analyses
