// StepSums: merged intervals per device; a step takes those that begin in its range.
#include "analyses/steps/step_sums.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <span>

#include "model/interval.h"

namespace sightline::analyses {

namespace {

constexpr Time kNever = std::numeric_limits<Time>::max();
constexpr Time kLongest =
    1'000'000'000'000'000'000;  // 30 years: a file that states more states nonsense, and sums would overflow

// What one device did, over the whole recording.
struct DeviceTime {
  IntervalSet computing, communicating, alone, idle;  // alone: communicating and not computing
  std::vector<Interval> receiving;                    // each receive by itself, by start
  std::vector<Interval> ranges;                       // by step; empty where it did nothing of it
};

bool receives(const Profile& profile, Row slice) {
  const auto& slices = profile.collectives.slice;
  const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
  if (at == slices.end() || *at != slice) return false;
  return profile.collectives.kind[static_cast<std::size_t>(at - slices.begin())] == CollectiveKind::receive;
}

IntervalSet gaps_of(const IntervalSet& set) {
  IntervalSet gaps;
  for (std::size_t i = 1; i < set.size(); ++i) gaps.push_back({set[i - 1].end, set[i].start});
  return gaps;
}

std::map<std::int64_t, DeviceTime> time_of_devices(const Profile& profile, const std::vector<WorkInterval>& work) {
  std::map<std::int64_t, DeviceTime> devices;
  for (const WorkInterval& one : work) {
    const Row slice = profile.device_work.slice[one.work];
    const SliceKind kind = profile.slices.kind[slice];
    if (!is_kernel(kind)) continue;
    DeviceTime& device = devices[profile.device_work.device[one.work]];
    const Interval interval{one.start, one.end};
    extend(kind == SliceKind::kernel ? device.computing : device.communicating, interval);
    if (kind == SliceKind::collective && receives(profile, slice)) device.receiving.push_back(interval);
  }
  for (auto& [ordinal, device] : devices) {
    device.alone = subtract(device.communicating, device.computing);
    device.idle = gaps_of(unite(device.computing, device.communicating));
  }
  return devices;
}

void find_ranges(const Profile& profile, const StepWindows& steps, const std::vector<WorkInterval>& work,
                 std::map<std::int64_t, DeviceTime>& devices) {
  const bool recorded = steps.source == StepSource::recorded;
  for (auto& [ordinal, device] : devices) {
    device.ranges.assign(steps.kept.size(), recorded ? Interval{kNever, kNever} : Interval{-kNever, kNever});
  }
  if (!recorded) return;
  for (const WorkInterval& one : work) {
    const auto device = devices.find(profile.device_work.device[one.work]);
    const std::size_t step = device == devices.end() ? steps.kept.size() : step_of(profile, steps.kept, one.work);
    if (step == steps.kept.size()) continue;
    Interval& range = device->second.ranges[step];
    if (range.start == kNever) range = {one.start, std::max(one.end, steps.kept[step].host.end)};
    range.end = std::max(range.end, one.end);
  }
}

// Those that begin from `start` to before `end`.
std::span<const Interval> beginning_in(const std::vector<Interval>& intervals, Interval range) {
  const auto from_time = [](const Interval& interval, Time time) { return interval.start < time; };
  const auto first = std::lower_bound(intervals.begin(), intervals.end(), range.start, from_time);
  const auto last = std::lower_bound(first, intervals.end(), range.end, from_time);
  return {first, last};
}

Time length_of(std::span<const Interval> intervals) {
  Time length = 0;
  for (const Interval& interval : intervals) length += interval.length();
  return length;
}

// `began`: when the step did on the host; kUnknown where nothing tells. `range` is half-open.
void add_up(const DeviceTime& device, Interval range, Time began, StepSums& sums) {
  const auto computing = beginning_in(device.computing, range), communicating = beginning_in(device.communicating, range);
  const auto alone = beginning_in(device.alone, range), idle = beginning_in(device.idle, range);
  sums.of(StepSum::computing) = length_of(computing);
  sums.of(StepSum::communication) = length_of(communicating);
  sums.of(StepSum::not_overlapped) = length_of(alone);
  sums.of(StepSum::overlapped) = sums.of(StepSum::communication) - sums.of(StepSum::not_overlapped);
  sums.of(StepSum::bubble) = length_of(beginning_in(device.receiving, range));
  sums.of(StepSum::exclude_receive) = std::max<Time>(sums.of(StepSum::not_overlapped) - sums.of(StepSum::bubble), 0);
  Time first = kNever, last = -kNever;
  for (const auto& some : {computing, communicating}) {
    if (!some.empty()) first = std::min(first, some.front().start);
  }
  if (first == kNever) return;
  for (const auto& some : {computing, communicating, idle}) {
    if (!some.empty()) last = std::max(last, some.back().end);
  }
  sums.of(StepSum::free) = length_of(idle);
  sums.of(StepSum::stage) = last - std::min(first, idle.empty() ? first : idle.front().start) - sums.of(StepSum::bubble);
  if (began != kUnknown) sums.of(StepSum::preparing) = first - began;
}

Time first_operator(const Profile& profile) {
  Time first = kUnknown;
  for (const Row slice : profile.operators.slice) {
    const Time start = profile.slices.start[slice];
    first = first == kUnknown ? start : std::min(first, start);
  }
  return first;
}

StepSums blank(std::string step, std::int64_t device) {
  StepSums sums{std::move(step), device, {}};
  sums.sum.fill(kUnknown);
  return sums;
}

}  // namespace

const StepSumInfo& info_of(StepSum sum) {
  static constexpr std::array<StepSumInfo, kStepSums> kInfos{{
      {"preparing", "Preparing", "Preparing", "From the step's start on the host until its first work on the device.",
       "start of the first work that computes or communicates - start of the step on the host, or without steps, of the first "
       "operator"},
      {"computing", "Computing", "Computing", "Time with at least one kernel computing.",
       "length of the union of kernels that are not collectives"},
      {"overlapped", "Overlapped", "Overlapped",
       "Computing and communicating at the same time: this part of the communication costs no time.",
       "communication - communication not overlapped"},
      {"not_overlapped", "Communication not overlapped", "Communication(Not Overlapped)",
       "At least one collective runs, and nothing computes.",
       "length of the union of collectives without that of computing kernels"},
      {"communication", "Communication", "Communication", "Time with at least one collective running.",
       "length of the union of collectives"},
      {"free", "Free", "Free",
       "The device neither computes nor communicates: it copies, waits for the host, or idles. The gap after a step's last work "
       "belongs to that step, although it overlaps Preparing of the next step.",
       "length of the gaps in the union of computing and communication"},
      {"stage", "Stage", "Stage", "The step on the device, without waiting to receive from another pipeline stage.",
       "(end of the last - start of the first of computing, communication and free) - bubble"},
      {"bubble", "Bubble", "Bubble", "Receiving from another pipeline stage, including the wait for it.",
       "sum of the durations of receives"},
      {"exclude_receive", "Not overlapped, without receives", "Communication(Not Overlapped and Exclude Receive)",
       "Communication that nothing hides, other than receives.", "max(communication not overlapped - bubble, 0)"},
  }};
  return kInfos[static_cast<std::size_t>(sum)];
}

std::vector<StepSums> computed_step_sums(const Profile& profile, const StepWindows& steps,
                                         const std::vector<WorkInterval>& work) {
  std::map<std::int64_t, DeviceTime> devices = time_of_devices(profile, work);
  find_ranges(profile, steps, work, devices);
  const bool recorded = steps.source == StepSource::recorded;
  std::vector<StepSums> all;
  for (std::size_t i = 0; i < steps.kept.size(); ++i) {
    // A device's step has no beginning on the host.
    const Time began = !recorded ? first_operator(profile) : steps.kept[i].asked == kNoRow ? steps.kept[i].host.start : kUnknown;
    for (const auto& [ordinal, device] : devices) {
      StepSums& sums = all.emplace_back(blank(recorded ? std::to_string(steps.kept[i].number) : "all", ordinal));
      Interval range = device.ranges[i];
      if (recorded && range.end < kNever) ++range.end;  // what begins with its end is in it, unless the next range begins there
      for (std::size_t next = i + 1; next < device.ranges.size() && range.start < kNever; ++next) {
        if (device.ranges[next].start == kNever) continue;
        range.end = std::min(range.end, std::max(range.start, device.ranges[next].start));
        break;
      }
      add_up(device, range, began, sums);
    }
  }
  return all;
}

std::vector<StepSums> stated_step_sums(const Profile& profile) {
  const ReportedSteps& stated = profile.reported_steps;
  std::vector<StepSums> all;
  std::map<std::pair<StringId, std::int64_t>, std::size_t> index;
  for (Row row = 0; row < stated.rows(); ++row) {
    const auto [at, is_new] = index.try_emplace({stated.step[row], stated.device[row]}, all.size());
    if (is_new) {
      const bool named = stated.step[row] != StringId::none;
      all.push_back(blank(named ? std::string(profile.text(stated.step[row])) : "all", stated.device[row]));
    }
    for (std::size_t sum = 0; sum < kStepSums; ++sum) {
      const Time duration = stated.duration[row];
      const bool is_sound = duration > -kLongest && duration < kLongest;
      if (is_sound && profile.text(stated.name[row]) == info_of(static_cast<StepSum>(sum)).stated) {
        all[at->second].sum[sum] = duration;
      }
    }
  }
  return all;
}

bool is_same_sum(Time a, Time b) {
  if (a == kUnknown || b == kUnknown) return true;
  return std::abs(a - b) <= 1'000 + std::max(std::abs(a), std::abs(b)) / 10'000;
}

}  // namespace sightline::analyses
