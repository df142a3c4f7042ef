// What the views of memory are based on: the allocator's events related to each other (on which device each was, inside which
// range, and which release ends which allocation), and the part of them that a view shows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"
#include "base/result.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- MemoryRecords ----

struct MemoryDevice {
  StringId name;  // "CPU", "GPU0"
  std::int64_t ordinal = kUnknown;
  bool host = false;
  bool has_events = false;     // whether the allocator's events were recorded; else only usage of components
  bool has_totals = false;     // whether its events have the total of allocated bytes
  bool has_addresses = false;  // whether they have addresses
};

// Columns by row of memory_events.
struct MemoryRecords {
  std::vector<MemoryDevice> devices;  // accelerators by name, then the host
  std::vector<std::uint16_t> device;  // of `devices`
  std::vector<Row> node;              // the innermost node of the host tree open on its thread then; kNoRow outside all
  std::vector<Row> partner;           // an allocation's release and a release's allocation; kNoRow when not recorded
};

// An event with bytes above 0 allocates, any other releases.
inline bool allocates(const Profile& profile, Row event) { return profile.memory_events.bytes[event] > 0; }

// A release ends the last allocation of its address on its device that was not released yet.
MemoryRecords relate_memory(const Profile& profile, const HostTree& tree);

// The same, once per profile. Thread-safe.
std::shared_ptr<const MemoryRecords> memory_records(const ProfilePtr& profile);

// ---- MemoryScope: what the memory view shows: one device, a window of time, a moment ----

struct MemoryScope {
  ProfilePtr profile;
  std::shared_ptr<const HostTree> tree;
  std::shared_ptr<const MemoryRecords> records;
  std::size_t device = 0;               // of records->devices
  std::optional<Interval> window = {};  // none: the whole recording
  std::optional<StepWindow> step = {};
  std::optional<Time> at = {};
  std::vector<Row> events = {};  // rows of memory_events of this device inside the window, in order of time

  const MemoryDevice& on() const { return records->devices[device]; }
  std::string_view device_name() const { return profile->text(on().name); }
  bool inside(Time time) const { return !window || (time >= window->start && time < window->end); }
};

// Whether a time is within a day of the slices; anything further away is from another recording whose file is among this one's.
bool is_near_slices(const Profile& profile, Time time);

// The declarations of the parameters `device`, `start`, `end`, `at` and `step`.
std::vector<Parameter> memory_parameters();

// REQUIRES: the profile has memory events or usage of components. An unknown device or step is an error that lists the known
// ones.
Result<MemoryScope> memory_scope(const ProfilePtr& profile, const Parameters& given);

// The parameter `device` as it was used, with the devices of this profile as its choices.
Parameter device_parameter(const MemoryScope& scope);

// "GPU0, step 5", "GPU0, from 1.20 ms for 345 µs".
Message scope_words(const MemoryScope& scope);

}  // namespace sightline::analyses
