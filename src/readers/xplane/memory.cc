// add_memory_events: reports of all threads in the order of time. An allocator's name says whose memory it hands out. What it has
// left, and in how many pieces, are counters of the device.
#include "readers/xplane/memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/whole_number.h"
#include "readers/trace_events/categories.h"
#include "readers/xplane/devices.h"

namespace sightline::xplane {

namespace {

constexpr std::int64_t kHost = 0, kGpu = 1;  // device type numbers of memory_events

struct Device {
  std::int64_t type = kUnknown, ordinal = kUnknown;
  std::string name;
};

// "GPU_0_bfc" is of a device; "gpu_host_bfc", "xla_cpu" and the like are of the host; any other stands for itself.
Device device_of(std::string_view allocator) {
  if (allocator.starts_with("GPU_")) {
    const std::string_view rest = allocator.substr(4);
    const auto ordinal = whole_number<std::int64_t>(rest.substr(0, rest.find('_')));
    if (ordinal && *ordinal >= 0) return {kGpu, *ordinal, trace_events::memory_device_name(kGpu, *ordinal)};
  }
  const auto has = [&](std::string_view word) { return allocator.find(word) != std::string_view::npos; };
  if (has("host") || has("cpu") || has("CPU")) return {kHost, -1, trace_events::memory_device_name(kHost, -1)};
  return {kUnknown, kUnknown, std::string(allocator.empty() ? "unknown device" : allocator)};
}

// What the allocators of devices have left, and in how many pieces: counters of the device.
class AllocatorCounters {
 public:
  explicit AllocatorCounters(Builder& b) : b_(b) {
    const Lanes& lanes = b.profile.lanes;
    for (Row lane = 0; lane < lanes.rows(); ++lane) {
      if (lanes.kind[lane] != LaneKind::host_thread && lanes.device[lane] != kUnknown)
        processes_.try_emplace(lanes.device[lane], lanes.process[lane]);
    }
  }

  // The reports of one allocator, by time.
  void add(std::string_view allocator, std::int64_t ordinal, const std::vector<const MemoryChange*>& reports) {
    add(fmt::format("{} available (B)", allocator), ordinal, reports, [](const MemoryChange& change) {
      return change.available == kUnknown ? static_cast<double>(kUnknownReal) : static_cast<double>(change.available);
    });
    add(fmt::format("{} fragmentation (share)", allocator), ordinal, reports,
        [](const MemoryChange& change) { return change.fragmentation; });
  }

 private:
  template <typename Value>
  void add(const std::string& name, std::int64_t ordinal, const std::vector<const MemoryChange*>& reports, Value&& value) {
    Row lane = kNoRow;
    for (const MemoryChange* report : reports) {
      const double now = value(*report);
      if (std::isnan(now)) continue;
      if (lane == kNoRow) lane = b_.lanes.add_counter_lane({LaneKind::counter, process_of(ordinal), ordinal, name, name});
      b_.profile.counters.lane.push_back(lane);
      b_.profile.counters.time.push_back(report->time);
      b_.profile.counters.value.push_back(now);
    }
  }

  // Made for a device that did nothing but hold memory.
  Row process_of(std::int64_t ordinal) {
    const auto [at, is_new] = processes_.try_emplace(ordinal, kNoRow);
    if (!is_new) return at->second;
    at->second = b_.lanes.add_process(fmt::format("/device:GPU:{}", ordinal));
    b_.profile.processes.sort_key[at->second] = device_order(ordinal);
    b_.profile.processes.label[at->second] = b_.profile.strings.intern(fmt::format("GPU {}", ordinal));
    return at->second;
  }

  Builder& b_;
  std::map<std::int64_t, Row> processes_;  // by ordinal
};

}  // namespace

void add_memory_events(Builder& b) {
  std::stable_sort(b.memory.begin(), b.memory.end(), [](const auto& x, const auto& y) { return x.time < y.time; });
  std::map<StringId, Device> devices;
  MemoryEvents& events = b.profile.memory_events;
  for (const MemoryChange& change : b.memory) {
    const auto [device, is_new] = devices.try_emplace(change.allocator);
    if (is_new) device->second = device_of(b.profile.text(change.allocator));
    const Row row = add_unknown_row(events);
    events.time[row] = change.time;
    events.lane[row] = change.lane;
    events.device_type[row] = device->second.type;
    events.device[row] = device->second.ordinal;
    events.device_name[row] = b.profile.strings.intern(device->second.name);
    events.address[row] = change.address;
    events.bytes[row] = change.bytes;
    events.total_allocated[row] = change.total;
  }
  std::map<StringId, std::vector<const MemoryChange*>> reports;
  for (const MemoryChange& change : b.memory) reports[change.allocator].push_back(&change);
  AllocatorCounters counters(b);
  for (const auto& [allocator, of_allocator] : reports) {
    const Device& device = devices.at(allocator);
    if (device.type == kGpu) counters.add(std::string(b.profile.text(allocator)), device.ordinal, of_allocator);
  }
}

}  // namespace sightline::xplane
