// MemoryRecords: the allocator's events put in relation: on which device each fell, inside which range, and which
// release ends which allocation. The views of memory are based on it.
#pragma once

#include <memory>
#include <vector>

#include "analyses/operators/host_tree.h"
#include "model/profile.h"

namespace sightline::analyses {

struct MemoryDevice {
  StringId name;  // "CPU", "GPU0"
  std::int64_t ordinal = kUnknown;
  bool host = false;
  bool has_events = false;     // whether the allocator's events were recorded; else only what components held
  bool has_totals = false;     // whether its events say how much is allocated in all
  bool has_addresses = false;  // whether they say where
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

}  // namespace sightline::analyses
