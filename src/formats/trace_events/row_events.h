// RowEvents: raw events that a reader makes of the rows of tables, with the tracks that they are on. assemble() then builds
// lanes, nesting and side tables, as for the events of a trace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/common/decimal.h"
#include "formats/trace_events/parse_events.h"

namespace sightline::formats::trace_events {

class RowEvents {
 public:
  RowEvents();

  StringPool& strings() { return strings_; }
  StringId text(std::string_view words) { return strings_.intern(words); }
  EventBatch& batch() { return batch_; }  // rows of side tables refer to the last slice that was added

  // The track of a thread or stream of a process, by the ids that are shown; a new one is made.
  std::uint32_t track(std::string_view process, std::string_view thread, bool device);
  // The track of a counter of a process.
  std::uint32_t counter(std::string_view process, std::string_view name);

  // The track of a host thread; kUnknown for a number that the recording does not state.
  std::uint32_t host_thread(std::int64_t pid, std::int64_t tid);
  void name_host_thread(std::int64_t pid, std::int64_t tid, std::string_view name);

  void name_process(std::string_view process, std::string_view name, std::string_view label, std::int64_t sort_key);
  void name_thread(std::string_view process, std::string_view thread, std::string_view name, std::int64_t sort_key);
  // The process that has a device's lanes, behind those of the host: its id, which is also its label. `name`: of the product;
  // empty: not known.
  std::string device(std::int64_t ordinal, std::string_view name);
  const std::set<std::int64_t>& devices() const { return devices_; }  // that have such a process

  // Adds a slice; its number in the batch. An end before the start is a problem, and the slice is an instant. nullopt if a time
  // is missing or impossible, which is a problem too.
  std::optional<std::uint32_t> add(std::int64_t start, std::int64_t end, StringId name, std::uint32_t track, Category category);

  void add_sample(std::int64_t time, std::uint32_t counter, double value);

  // An allocation on a device or, if `bytes` is negative, a release; `type`: the framework's number of the kind of device.
  void add_memory(std::int64_t type, std::int64_t device, std::int64_t time, std::int64_t address, std::int64_t bytes);

  std::int64_t last_end() const { return last_end_; }  // of all slices; kUnknown: there are none

  ParsedEvents take();

 private:
  struct Memory {
    std::int64_t type, device, time, address, bytes;
  };

  void next_batch();
  void flush_memory();
  void name(std::string_view what, std::string_view process, std::string_view thread, std::string_view text,
            std::int64_t sort_key);

  ParsedEvents parsed_;
  StringPool& strings_;
  EventBatch batch_;
  std::map<std::pair<StringId, StringId>, std::uint32_t> tracks_, counters_;
  std::set<std::int64_t> devices_;
  std::vector<Memory> memory_;
  std::int64_t last_end_ = kUnknown;
};

// The id of the process of the timeline that has a host process's lanes: its number, or "-1" for a process that is unknown.
std::string host_process(std::int64_t pid);

// The id of the process of the timeline that has a device's lanes: "GPU 3".
std::string device_process(std::int64_t ordinal);

// Gives the lanes of these processes their device. The thread of allocations is unknown. After assemble().
void number_devices(Profile& profile);

// Whether a time can be one of a recording.
constexpr bool is_time(std::int64_t time) { return time > -kFarthestNs && time < kFarthestNs; }

// "kernel 7"; the word alone if the number is unknown.
std::string numbered(std::string_view what, std::int64_t number);

}  // namespace sightline::formats::trace_events
