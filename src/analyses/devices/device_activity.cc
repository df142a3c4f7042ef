// Words of the reader, and one pass over device work in order of start with one accumulator per device.
#include "analyses/devices/device_activity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analyses/derived_data.h"
#include "base/sort.h"

namespace sightline::analyses {

// ---- what the devices are called ----

DeviceWords device_words(const Profile& profile) {
  DeviceWords words;
  if (!profile.device_word.empty()) words.device = profile.device_word;
  if (!profile.matrix_word.empty()) words.matrix = profile.matrix_word;
  if (!profile.core_word.empty()) words.core = profile.core_word;
  return words;
}

Message title_word(std::string_view word) {
  std::string title(word);
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

// ---- what the devices did ----

namespace {

// Merges neighbouring sorted runs until one is left: lanes are sorted already, and there are few of them.
void merge_runs(std::vector<WorkInterval>& work, std::vector<std::size_t> bounds) {
  const auto by_start = [](const WorkInterval& a, const WorkInterval& b) { return a.start < b.start; };
  std::vector<WorkInterval> merged(work.size());
  while (bounds.size() > 2) {
    std::vector<std::size_t> wider{0};
    for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
      const std::size_t last = std::min(i + 2, bounds.size() - 1);
      const auto at = [&](std::size_t bound) { return work.begin() + static_cast<std::ptrdiff_t>(bounds[bound]); };
      std::merge(at(i), at(i + 1), at(i + 1), at(last), merged.begin() + static_cast<std::ptrdiff_t>(bounds[i]), by_start);
      wider.push_back(bounds[last]);
    }
    work.swap(merged);
    bounds = std::move(wider);
  }
}

// Running sums of one device over its kernels.
struct Accumulator {
  std::int64_t kernels = 0;
  std::vector<Interval> busy;  // in the window, by start
  std::vector<WeightedInterval> blocks;
  double occupancy_time = 0;  // sum of occupancy x time
  Time occupancy_weight = 0;
  Time total = 0;  // of all kernels, in the whole profile
  Time matrix = 0;
  bool core_type_known = true;  // of all kernels
};

void add_kernel(Accumulator& sums, const DeviceWork& work, Row row, Interval inside) {
  if (inside.length() <= 0) return;
  sums.busy.push_back(inside);
  if (work.blocks_per_core[row] > 0) sums.blocks.push_back({inside, static_cast<double>(work.blocks_per_core[row])});
  if (work.occupancy[row] >= 0) {
    sums.occupancy_time += static_cast<double>(work.occupancy[row]) * static_cast<double>(inside.length());
    sums.occupancy_weight += inside.length();
  }
}

// A collective multiplies no matrices, whatever core it runs on.
void add_core_type(Accumulator& sums, CoreType type, Time duration, bool collective) {
  sums.core_type_known &= type != CoreType::unknown || collective;
  sums.total += duration;
  if (type == CoreType::matrix) sums.matrix += duration;
}

DeviceActivity summarise(std::int64_t device, const Accumulator& sums, Interval window) {
  const double length = static_cast<double>(window.length());
  DeviceActivity activity{device, sums.kernels, kUnknownNumber, kUnknownNumber, kUnknownNumber, kUnknownNumber};
  if (length > 0) {
    activity.utilization = static_cast<double>(total_length(merge_sorted(sums.busy))) / length;
    activity.core_efficiency = capped_integral(sums.blocks, window) / length;
  }
  if (sums.occupancy_weight > 0) activity.occupancy = sums.occupancy_time / static_cast<double>(sums.occupancy_weight);
  if (sums.total > 0 && sums.core_type_known)
    activity.matrix_share = static_cast<double>(sums.matrix) / static_cast<double>(sums.total);
  return activity;
}

}  // namespace

std::vector<WorkInterval> work_by_start(const Profile& profile) {
  const DeviceWork& rows = profile.device_work;
  std::vector<WorkInterval> work;
  std::vector<std::size_t> bounds;
  work.reserve(rows.rows());
  for (Row i = 0; i < rows.rows(); ++i) {
    const Row slice = rows.slice[i];
    const Time start = profile.slices.start[slice];
    if (work.empty() || start < work.back().start) bounds.push_back(i);
    work.push_back({start, start + profile.slices.duration[slice], i});
  }
  bounds.push_back(work.size());
  if (bounds.size() > 256) {
    sort_up(work, [](const auto& each) { return each.start; });
  } else {
    merge_runs(work, std::move(bounds));
  }
  return work;
}

std::shared_ptr<const std::vector<WorkInterval>> work_by_start(const ProfilePtr& profile) {
  return derived<std::vector<WorkInterval>>(profile, [](const ProfilePtr& of) { return work_by_start(*of); });
}

std::string stream_title(const Profile& profile, Row lane) {
  const std::string_view name = profile.text(profile.lanes.name[lane]);
  return name.empty() ? "stream " + std::string(profile.text(profile.lanes.track[lane])) : std::string(name);
}

bool has_kernels(const Profile& profile) {
  const auto& slices = profile.device_work.slice;
  return std::any_of(slices.begin(), slices.end(), [&](Row slice) { return is_kernel(profile.slices.kind[slice]); });
}

double capped_integral(const std::vector<WeightedInterval>& running, Interval window) {
  struct Ending {
    Time end;
    double value;
  };
  const auto later = [](const Ending& a, const Ending& b) { return a.end > b.end; };
  std::vector<Ending> active;  // a heap, the next to end first
  double sum = 0;
  double integral = 0;
  Time now = window.start;
  bool known = false;
  const auto advance = [&](Time to) {
    to = std::min(to, window.end);
    if (to <= now) return;
    integral += std::min(1.0, sum) * static_cast<double>(to - now);
    now = to;
  };
  const auto end_until = [&](Time time) {
    while (!active.empty() && active.front().end <= time) {
      advance(active.front().end);
      sum -= active.front().value;
      std::pop_heap(active.begin(), active.end(), later);
      active.pop_back();
      if (active.empty()) sum = 0;  // leaves no floating residue behind
    }
  };
  for (const auto& [interval, value] : running) {
    const bool inside = interval.start < window.end && interval.end > window.start && interval.length() > 0;
    if (!inside || !(value > 0)) continue;
    known = true;
    end_until(interval.start);
    advance(interval.start);
    sum += value;
    active.push_back({interval.end, value});
    std::push_heap(active.begin(), active.end(), later);
  }
  end_until(std::numeric_limits<Time>::max());
  return known ? integral : kUnknownNumber;
}

std::vector<DeviceActivity> device_activity(const Profile& profile, const std::vector<WorkInterval>& work, Interval window) {
  std::map<std::int64_t, Accumulator> devices;
  Accumulator* sums = nullptr;
  std::int64_t device = kUnknown;
  for (const WorkInterval& interval : work) {
    const DeviceWork& rows = profile.device_work;
    if (sums == nullptr || rows.device[interval.work] != device) {
      device = rows.device[interval.work];
      sums = &devices[device];
    }
    const SliceKind kind = profile.slices.kind[rows.slice[interval.work]];
    if (!is_kernel(kind)) continue;
    ++sums->kernels;
    add_core_type(*sums, rows.core_type[interval.work], interval.end - interval.start, kind == SliceKind::collective);
    add_kernel(*sums, rows, interval.work, {std::max(interval.start, window.start), std::min(interval.end, window.end)});
  }
  std::vector<DeviceActivity> activities;
  activities.reserve(devices.size());
  for (const auto& [ordinal, sums_of_device] : devices) activities.push_back(summarise(ordinal, sums_of_device, window));
  return activities;
}

}  // namespace sightline::analyses
