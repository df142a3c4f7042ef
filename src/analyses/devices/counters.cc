// Counters: device work in order of start, swept once per counter; memory events and the file's own samples unchanged.
#include "analyses/devices/counters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyses/columns.h"
#include "analyses/derived_data.h"
#include "analyses/devices/device_activity.h"
#include "analyses/memory/memory_records.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- the direction of a copy ----

namespace {

// "HtoD", "DtoH", "DtoD", "HtoH" or "PtoP", from the copy's name in any of the usual spellings; "Memset" for a fill, "other
// copies" for other names. The text lives as long as the program.
std::string_view copy_direction(const Profile& profile, Row slice) {
  if (profile.slices.kind[slice] == SliceKind::memset) return "Memset";
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"HtoD", "HtoD"},
      {"DtoH", "DtoH"},
      {"DtoD", "DtoD"},
      {"HtoH", "HtoH"},
      {"PtoP", "PtoP"},
      {"H2D", "HtoD"},
      {"D2H", "DtoH"},
      {"D2D", "DtoD"},
      {"H2H", "HtoH"},
      {"P2P", "PtoP"},
      {"HostToDevice", "HtoD"},
      {"DeviceToHost", "DtoH"},
      {"DeviceToDevice", "DtoD"},
      {"HostToHost", "HtoH"},
  };
  const std::string_view name = profile.text(profile.slices.name[slice]);
  for (const auto& [word, direction] : kWords) {
    if (name.find(word) != std::string_view::npos) return direction;
  }
  return "other copies";
}

}  // namespace

// ---- devices with engines: how busy each engine is, and how fast the device computes ----

namespace {

inline constexpr std::string_view kEngineBuckets =
    "a bucket is the smallest power of ten ns with which at most 20,000 buckets cover the recording";

constexpr Time kMostEngineBuckets = 20'000;  // those in which nothing works take no room

// Least power of ten ns of which at most 20,000 make up the window: a program may work for microseconds of a recording of ms.
Time bucket_of(Interval window) {
  Time bucket = 1;
  while (window.length() > kMostEngineBuckets * bucket) bucket *= 10;
  return bucket;
}

// Share of the time that `work` ran, 0 to 100, in buckets of bucket_of(window); kEngineBuckets describes them.
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

// How fast the device computes: the operations of a work item are spread evenly over its length.
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
    std::int64_t open = 0;  // number of begun minus number of ended
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

// Whether the device has engines.
bool has_engines(const Profile& profile, std::int64_t device) {
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.kind[lane] == LaneKind::engine && profile.lanes.device[lane] == device) return true;
  }
  return false;
}

// Of the device; empty when it has no engines, or none of their work is known. The process is left to the caller.
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

}  // namespace

// ---- all counters ----

namespace {

constexpr std::int64_t kMostBuckets = 100;
constexpr Time kMicrosecond = 1000;

struct Change {
  Time time;
  double by;
};

// The running sum of the changes, in any order.
CounterSeries running_sum(Message title, std::vector<Change> changes) {
  sort_up(changes, &Change::time);
  CounterSeries series{std::move(title), {}, {}};
  double sum = 0;
  std::int64_t open = 0;  // begun and not ended: if 0, the sum is 0, whatever the floating residue
  for (std::size_t i = 0; i < changes.size(); ++i) {
    sum += changes[i].by;
    open += changes[i].by > 0 ? 1 : -1;
    if (open == 0) sum = 0;
    if (i + 1 == changes.size() || changes[i + 1].time != changes[i].time) series.set(changes[i].time, sum);
  }
  return series;
}

// The process that the lanes of a device belong to.
Row process_of_device(const Profile& p, std::int64_t device) {
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    if (p.lanes.kind[lane] != LaneKind::host_thread && p.lanes.device[lane] == device) return p.lanes.process[lane];
  }
  return kNoRow;
}

// ---- how busy a device is ----

// On a device of engines in their buckets, which it is drawn above.
Counter utilization(const DeviceWords& words, const std::vector<WorkInterval>& kernels, Interval window, bool engines) {
  const std::string_view which = engines ? kEngineBuckets
                                         : "a bucket is the smallest power of ten µs with which at most 100 buckets cover the "
                                           "profiler's window; the last one extends to its end";
  Counter counter{say("{} utilization", title_word(words.device)),
                  MetricDoc{"Share of the time that at least one kernel ran, in buckets.",
                            say("length of (union of kernels ∩ bucket) / length of the bucket; {}", which),
                            "start and duration of the kernels of all streams, without copies"}
                      .text(),
                  Unit::percent,
                  kNoRow,
                  {{"utilization", {}, {}}}};
  IntervalSet busy;
  for (const WorkInterval& kernel : kernels) extend(busy, {kernel.start, kernel.end});
  if (engines) {
    counter.series[0] = busy_shares("utilization", busy, window);
    return counter;
  }
  const Time bucket = utilization_bucket(window);
  const std::int64_t buckets = std::max<std::int64_t>(1, window.length() / bucket);
  for (std::int64_t i = 0; i < buckets; ++i) {
    const Interval within{window.start + i * bucket, i + 1 == buckets ? window.end : window.start + (i + 1) * bucket};
    const auto share = static_cast<double>(length_within(busy, within)) / static_cast<double>(within.length());
    counter.series[0].set(within.start, 100 * share);
  }
  counter.series[0].set(window.end, 0);
  return counter;
}

Counter core_efficiency(const Profile& p, const DeviceWords& words, const std::vector<WorkInterval>& kernels) {
  Counter counter{say("Est. {} efficiency", words.core),
                  MetricDoc{"How many of the multiprocessors had a block to run, estimated from the launches.",
                            "100 x min(1, sum of blocks per multiprocessor of the kernels running)",
                            "blocks per multiprocessor that the profiler reports for each kernel",
                            "The TensorBoard plugin shows rounding errors of its sums as efficiency above 0."}
                      .text(),
                  Unit::percent,
                  kNoRow,
                  {}};
  std::vector<Change> changes;
  for (const WorkInterval& kernel : kernels) {
    const double blocks = p.device_work.blocks_per_core[kernel.work];
    if (!(blocks > 0) || kernel.end <= kernel.start) continue;
    changes.push_back({kernel.start, blocks});
    changes.push_back({kernel.end, -blocks});
  }
  CounterSeries sum = running_sum("efficiency", std::move(changes));
  CounterSeries capped{sum.title, {}, {}};
  for (std::size_t i = 0; i < sum.time.size(); ++i) capped.set(sum.time[i], 100 * std::min(1.0, sum.value[i]));
  counter.series.push_back(std::move(capped));
  return counter;
}

// ---- waiting launches, and copies ----

Counter launch_queue(const Profile& p, std::int64_t device) {
  Counter counter{
      "Launch queue",
      MetricDoc{"Device work that was enqueued and has not started, by stream.",
                "calls that began to launch work for the stream - work of the stream that started; work that seems to start "
                "before its call counts at its start",
                "start of launching calls and of the work they launched"}
          .text(),
      Unit::count,
      kNoRow,
      {}};
  std::map<Row, std::vector<Change>> streams;  // by lane
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    if (p.device_work.device[work] != device || p.device_work.launch[work] == kNoRow) continue;
    const Row slice = p.device_work.slice[work];
    const Time start = p.slices.start[slice];
    std::vector<Change>& changes = streams[p.main_lane(p.slices.lane[slice])];
    changes.push_back({std::min(start, p.slices.start[p.launches.slice[p.device_work.launch[work]]]), 1});
    changes.push_back({start, -1});
  }
  for (auto& [lane, changes] : streams) counter.series.push_back(running_sum(stream_title(p, lane), std::move(changes)));
  counter.named = true;
  return counter;
}

Counter copy_rates(const Profile& p, const std::vector<WorkInterval>& copies) {
  Counter counter{
      "Memory bandwidth",
      MetricDoc{"How fast copies and fills move bytes, by direction.",
                "sum of bytes / duration over the copies of the direction that are running, without copies of length 0",
                "bytes, start and duration of copies and fills"}
          .text(),
      Unit::bytes_per_second,
      kNoRow,
      {}};
  std::map<std::string_view, std::vector<Change>> directions;
  for (const WorkInterval& copy : copies) {
    const std::int64_t bytes = p.device_work.bytes[copy.work];
    if (bytes == kUnknown || bytes <= 0 || copy.end <= copy.start) continue;
    const double rate = static_cast<double>(bytes) / (static_cast<double>(copy.end - copy.start) * 1e-9);
    std::vector<Change>& changes = directions[copy_direction(p, p.device_work.slice[copy.work])];
    changes.push_back({copy.start, rate});
    changes.push_back({copy.end, -rate});
  }
  for (auto& [title, changes] : directions) counter.series.push_back(running_sum(title, std::move(changes)));
  return counter;
}

void add_device_counters(const ProfilePtr& profile, std::vector<Counter>& all) {
  const Profile& p = *profile;
  const DeviceWords words = device_words(p);
  std::map<std::int64_t, std::pair<std::vector<WorkInterval>, std::vector<WorkInterval>>> devices;  // kernels, copies
  const auto all_work = work_by_start(profile);
  for (const WorkInterval& work : *all_work) {
    const SliceKind kind = p.slices.kind[p.device_work.slice[work.work]];
    auto& [kernels, copies] = devices[p.device_work.device[work.work]];
    (is_kernel(kind) ? kernels : copies).push_back(work);
  }
  for (const auto& [device, work] : devices) {
    const auto& [kernels, copies] = work;
    std::vector<Counter> of_device;
    const Interval window{p.span_start, p.span_end};
    if (!kernels.empty() && window.length() > 0) of_device.push_back(utilization(words, kernels, window, has_engines(p, device)));
    of_device.push_back(core_efficiency(p, words, kernels));
    of_device.push_back(launch_queue(p, device));
    of_device.push_back(copy_rates(p, copies));
    for (Counter& counter : engine_counters(p, device)) of_device.push_back(std::move(counter));
    for (Counter& counter : of_device) {
      counter.process = process_of_device(p, device);
      all.push_back(std::move(counter));
    }
  }
}

// ---- memory, and the file's own ----

void add_memory_counters(const ProfilePtr& profile, std::vector<Counter>& all) {
  const MemoryEvents& events = profile->memory_events;
  if (events.rows() == 0) return;
  const auto records = memory_records(profile);
  for (std::size_t device = 0; device < records->devices.size(); ++device) {
    const MemoryDevice& of = records->devices[device];
    Counter counter{say("Memory of {}", profile->text(of.name)),
                    MetricDoc{"Bytes that the framework's allocator has allocated, and bytes that it holds.",
                              "the totals after each allocation and release", "memory events"}
                        .text(),
                    Unit::bytes,
                    kNoRow,
                    {{"allocated", {}, {}}, {"reserved", {}, {}}}};
    for (Row event = 0; event < events.rows(); ++event) {
      if (records->device[event] != device) continue;
      const Row lane = events.lane[event];
      if (counter.process == kNoRow) {
        counter.process = !of.host         ? process_of_device(*profile, events.device[event])
                          : lane == kNoRow ? kNoRow
                                           : profile->lanes.process[lane];
      }
      if (events.total_allocated[event] != kUnknown)
        counter.series[0].set(events.time[event], static_cast<double>(events.total_allocated[event]));
      if (events.total_reserved[event] != kUnknown)
        counter.series[1].set(events.time[event], static_cast<double>(events.total_reserved[event]));
    }
    all.push_back(std::move(counter));
  }
}

// Removes the unit in brackets from a title ("Throughput (B/s)") and returns it; Unit::none if there is none.
Unit take_unit(std::string& title) {
  constexpr std::pair<std::string_view, Unit> kWords[] = {
      {" (B/s)", Unit::bytes_per_second}, {" (bytes)", Unit::bytes}, {" (B)", Unit::bytes}, {" (%)", Unit::percent},
      {" (share)", Unit::share},          {" (ns)", Unit::ns},       {" (Hz)", Unit::hertz}};
  for (const auto& [word, unit] : kWords) {
    const std::size_t at = title.find(word);
    if (at == std::string::npos) continue;
    title.erase(at, word.size());
    return unit;
  }
  return Unit::none;
}

void add_file_counters(const Profile& p, std::vector<Counter>& all) {
  const Counters& samples = p.counters;  // by lane, then time
  for (Row i = 0; i < samples.rows();) {
    const Row lane = samples.lane[i];
    std::string title(p.text(p.lanes.name[lane] == StringId::none ? p.lanes.track[lane] : p.lanes.name[lane]));
    const Unit unit = take_unit(title);
    Counter counter{own_title(title),
                    "A counter of the file.\nSource: its own samples.",
                    unit,
                    p.lanes.process[lane],
                    {{own_title(title), {}, {}}},
                    true};
    for (; i < samples.rows() && samples.lane[i] == lane; ++i) counter.series[0].set(samples.time[i], samples.value[i]);
    all.push_back(std::move(counter));
  }
}

std::vector<Counter> make_counters(const ProfilePtr& profile) {
  std::vector<Counter> all;
  add_device_counters(profile, all);
  add_memory_counters(profile, all);
  add_file_counters(*profile, all);
  for (Counter& counter : all) std::erase_if(counter.series, [](const CounterSeries& series) { return series.time.empty(); });
  std::erase_if(all, [](const Counter& counter) { return counter.series.empty(); });
  return all;
}

}  // namespace

void CounterSeries::set(Time at, double to) {
  if (!time.empty() && time.back() == at) {
    time.pop_back();
    value.pop_back();
  }
  const bool same = !value.empty() && (value.back() == to || (std::isnan(value.back()) && std::isnan(to)));
  if (same) return;
  time.push_back(at);
  value.push_back(to);
}

Time utilization_bucket(Interval window) {
  Time bucket = kMicrosecond;
  while (window.length() > kMostBuckets * bucket) bucket *= 10;
  return bucket;
}

static std::int64_t held_bytes(const CounterSeries& series) { return held_bytes(series.title, series.time, series.value); }
static std::int64_t held_bytes(const Counter& counter) { return held_bytes(counter.title, counter.doc, counter.series); }

std::shared_ptr<const std::vector<Counter>> counters(const ProfilePtr& profile) {
  return derived<std::vector<Counter>>(profile, make_counters);
}

}  // namespace sightline::analyses
