// MemoryScope: the scope of the memory view: one device, a window of time, a moment. Its parameters, resolved.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/memory/memory_records.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"
#include "base/result.h"
#include "model/interval.h"

namespace sightline::analyses {

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

// Whether a time is within a day of the slices; what is farther is of another recording, put among this one's files.
bool is_near_slices(const Profile& profile, Time time);

// The declarations of the parameters `device`, `start`, `end`, `at` and `step`.
std::vector<Parameter> memory_parameters();

// REQUIRES: the profile has memory events, or says what components held. An unknown device or step is an error that lists those
// there are.
Result<MemoryScope> memory_scope(const ProfilePtr& profile, const Parameters& given);

// The parameter `device` as it was used, with the devices of this profile as its choices.
Parameter device_parameter(const MemoryScope& scope);

// "GPU0, step 5", "GPU0, from 1.20 ms for 345 µs".
Message scope_words(const MemoryScope& scope);

}  // namespace sightline::analyses
