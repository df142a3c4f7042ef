// add_memory_events: reports of all threads in the order of time. An allocator's name says whose memory it hands out.
#include "readers/xplane/memory.h"

#include <algorithm>

#include "base/whole_number.h"
#include "readers/trace_events/categories.h"

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
}

}  // namespace sightline::xplane
