// What views compute from a profile and share is computed once and belongs to the profile: it goes with it, and its bytes count
// as the profile's.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "analyses/memory/held_bytes.h"
#include "model/profile.h"

namespace sightline::analyses {

class DerivedData {
 public:
  struct Slot {
    std::once_flag once;
    std::shared_ptr<const void> value;  // made once
  };

  using Computation = void (*)();

  // Where the result of a computation is.
  Slot& slot(Computation computation);

  void add_bytes(std::int64_t more) { bytes_ += more; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::mutex mutex_;
  std::map<Computation, Slot> slots_;
  std::atomic<std::int64_t> bytes_{0};
};

// A profile that has a place for such data. One that is shared otherwise has none: what is derived from it is made anew each
// time.
ProfilePtr share_profile(std::unique_ptr<const Profile> profile);

// Null for a profile that share_profile did not make. Valid as long as the profile is.
DerivedData* derived_data(const ProfilePtr& profile);

// What `compute` makes of a profile. Profiles are immutable, so nothing goes stale. Thread-safe: callers that request the same at
// once wait for one computation, others do not wait for them.
template <typename Value>
std::shared_ptr<const Value> derived(const ProfilePtr& profile, Value (*compute)(const ProfilePtr&)) {
  DerivedData* const data = derived_data(profile);
  if (data == nullptr) return std::make_shared<const Value>(compute(profile));
  DerivedData::Slot& slot = data->slot(reinterpret_cast<DerivedData::Computation>(compute));
  std::call_once(slot.once, [&] {
    auto value = std::make_shared<const Value>(compute(profile));
    data->add_bytes(static_cast<std::int64_t>(sizeof(Value)) + held_bytes(*value));
    slot.value = std::move(value);
  });
  return std::static_pointer_cast<const Value>(slot.value);
}

}  // namespace sightline::analyses
