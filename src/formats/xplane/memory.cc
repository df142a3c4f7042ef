// add_memory_events: the reports of all threads in order of time. An allocator's name tells the device whose memory it
// manages; without a name, the report has the device's number. What an allocator has left, and in how many pieces, become
// counters of the device. Memory that it reserves for the stacks of programs is in use as well: a block that is allocated
// again when it grows.
#include "base/sort.h"
#include "formats/xplane/builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "formats/common/categories.h"
#include "formats/xplane/plane_stats.h"

namespace sightline::formats::xplane {

namespace {

constexpr std::int64_t kHost = 0, kGpu = 1, kXla = 9;  // device type numbers of memory_events
constexpr std::int64_t kStackAddress = 0;              // below all blocks

struct Device {
  std::int64_t type = kUnknown, ordinal = kUnknown;
  std::string name;
};

// "GPU_0_bfc" is of a device; "gpu_host_bfc", "xla_cpu" and the like are of the host; any other name is a separate device.
Device device_of(std::string_view allocator) {
  if (allocator.starts_with("GPU_")) {
    const std::string_view rest = allocator.substr(4);
    const auto ordinal = whole_number<std::int64_t>(rest.substr(0, rest.find('_')));
    if (ordinal && *ordinal >= 0) return {kGpu, *ordinal, memory_device_name(kGpu, *ordinal)};
  }
  const auto has = [&](std::string_view word) { return allocator.find(word) != std::string_view::npos; };
  if (has("host") || has("cpu") || has("CPU")) return {kHost, -1, memory_device_name(kHost, -1)};
  return {kUnknown, kUnknown, std::string(allocator.empty() ? "unknown device" : allocator)};
}

std::string device_word(const Profile& p) { return p.device_word.empty() ? "GPU" : p.device_word; }

// Reports of one allocator have one name. An allocator without a name belongs to the device that it states.
StringId allocator_of(Profile& p, const MemoryChange& change) {
  if (change.allocator != StringId::none || change.index == kUnknown) return change.allocator;
  return p.strings.intern(fmt::format("{}{}", device_word(p), change.index));
}

Device device_of(const Profile& p, const MemoryChange& change) {
  const std::string_view name = p.text(change.allocator);
  if (change.index == kUnknown || change.index < 0) return device_of(name);
  return {device_word(p) == "GPU" ? kGpu : kXla, change.index, std::string(name)};
}

// A release without a size is of the block at its address. If that block was not recorded, its size is the decrease of the
// total; if that is unknown too, the release is left out.
void find_sizes(Builder& b) {
  std::map<std::pair<StringId, std::int64_t>, std::int64_t> live;  // sizes by allocator and address
  std::map<StringId, std::int64_t> totals;                         // of the previous report
  std::erase_if(b.memory, [&](MemoryChange& change) {
    const auto block = live.find({change.allocator, change.address});
    const auto [total, is_first] = totals.try_emplace(change.allocator, kUnknown);
    if (change.size == kUnknown && block != live.end()) change.size = block->second;
    if (change.size == kUnknown && change.released && total->second != kUnknown && change.total != kUnknown &&
        change.total <= total->second)
      change.size = total->second - change.total;
    if (change.total != kUnknown) total->second = change.total;
    if (change.released && block != live.end()) live.erase(block);
    if (!change.released && change.address != kUnknown) live[{change.allocator, change.address}] = change.size;
    b.releases_of_unknown_size += change.size == kUnknown;
    return change.size == kUnknown;
  });
}

// Adds the blocks of stacks, before the first reports of them, and adds them to the totals.
void add_stacks(Builder& b) {
  struct Known {
    std::int64_t stack = 0, total = kUnknown;
  };
  std::map<StringId, Known> allocators;
  std::vector<MemoryChange> all;
  all.reserve(b.memory.size());
  for (MemoryChange change : b.memory) {
    Known& known = allocators[change.allocator];
    if (change.reserved != kUnknown && change.reserved >= 0 && change.reserved != known.stack) {
      MemoryChange stack = change;
      stack.address = kStackAddress;
      stack.available = kUnknown;
      stack.fragmentation = kUnknownReal;
      const auto add = [&](bool released, std::int64_t size, std::int64_t in_all) {
        stack.released = released;
        stack.size = size;
        stack.total = known.total == kUnknown ? kUnknown : known.total + in_all;
        if (size != 0) all.push_back(stack);
      };
      if (known.total == kUnknown && change.total != kUnknown)
        known.total = change.total + (change.released ? change.size : -change.size);
      add(true, known.stack, 0);
      add(false, change.reserved, change.reserved);
      known.stack = change.reserved;
    }
    known.total = change.total;
    if (change.total != kUnknown) change.total += known.stack;
    all.push_back(change);
  }
  b.memory = std::move(all);
}

// An allocator of a whole device tells the size of its memory: the sum of what is in use and what is left.
void find_capacity(Profile& p, const Device& device, const MemoryChange& change) {
  if (device.type != kXla || change.total == kUnknown || change.available == kUnknown) return;
  for (Row row = 0; row < p.devices.rows(); ++row) {
    if (p.devices.ordinal[row] == device.ordinal && p.devices.memory[row] == kUnknown)
      p.devices.memory[row] = change.total + change.available;
  }
}

// What the devices' allocators have left, and in how many pieces: counters of the device.
class AllocatorCounters {
 public:
  explicit AllocatorCounters(Builder& b) : b_(b) {
    const Lanes& lanes = b.profile().lanes;
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
      if (lane == kNoRow) lane = b_.add_counter_lane({LaneKind::counter, process_of(ordinal), ordinal, name, name});
      b_.add_sample(lane, report->time, now);
    }
  }

  // Created for a device that did nothing except hold memory.
  Row process_of(std::int64_t ordinal) {
    const auto [at, is_new] = processes_.try_emplace(ordinal, kNoRow);
    if (!is_new) return at->second;
    const std::string word = device_word(b_.profile());
    at->second = b_.add_process(fmt::format("/device:{}:{}", word, ordinal));
    b_.profile().processes.sort_key[at->second] = device_order(ordinal);
    b_.profile().processes.label[at->second] = b_.profile().strings.intern(fmt::format("{} {}", word, ordinal));
    return at->second;
  }

  Builder& b_;
  std::map<std::int64_t, Row> processes_;  // by ordinal
};

}  // namespace

void add_memory_events(Builder& b) {
  sort_up(b.memory, [](const auto& each) { return each.time; });
  for (MemoryChange& change : b.memory) change.allocator = allocator_of(b.profile(), change);
  find_sizes(b);
  add_stacks(b);
  std::map<StringId, Device> devices;
  MemoryEvents& events = b.profile().memory_events;
  for (const MemoryChange& change : b.memory) {
    const auto [device, is_new] = devices.try_emplace(change.allocator);
    if (is_new) device->second = device_of(b.profile(), change);
    find_capacity(b.profile(), device->second, change);
    const Row row = add_unknown_row(events);
    events.time[row] = change.time;
    events.lane[row] = change.lane;
    events.device_type[row] = device->second.type;
    events.device[row] = device->second.ordinal;
    events.device_name[row] = b.profile().strings.intern(device->second.name);
    events.address[row] = change.address;
    events.bytes[row] = change.released ? -change.size : change.size;
    events.total_allocated[row] = change.total;
  }
  std::map<StringId, std::vector<const MemoryChange*>> reports;
  for (const MemoryChange& change : b.memory) reports[change.allocator].push_back(&change);
  AllocatorCounters counters(b);
  for (const auto& [allocator, of_allocator] : reports) {
    const Device& device = devices.at(allocator);
    if (device.type == kGpu || device.type == kXla)
      counters.add(std::string(b.profile().text(allocator)), device.ordinal, of_allocator);
  }
}

}  // namespace sightline::formats::xplane
