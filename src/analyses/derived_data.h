// What views compute from a profile and share is computed once and belongs to the profile: it is freed with it, and its bytes
// count as the profile's.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

// ---- held_bytes: the memory that a value holds beside itself, approximately ----
// A struct with vectors or texts has its own function of this name beside it, found by its type.

template <typename T>
requires std::is_trivially_copyable_v<T>
constexpr std::int64_t held_bytes(const T&) { return 0; }

inline std::int64_t held_bytes(const std::string& text) {
  return text.capacity() > std::string().capacity() ? static_cast<std::int64_t>(text.capacity()) : 0;
}

template <typename T>
std::int64_t held_bytes(const std::shared_ptr<T>&) {
  return 0;  // it counts where it was made
}

inline std::int64_t held_bytes(const std::vector<bool>& flags) { return static_cast<std::int64_t>(flags.capacity() / 8); }

template <typename T>
std::int64_t held_bytes(const std::vector<T>& values) {
  auto bytes = static_cast<std::int64_t>(values.capacity() * sizeof(T));
  if constexpr (!std::is_trivially_copyable_v<T>) {
    for (const T& value : values) bytes += held_bytes(value);
  }
  return bytes;
}

// Of several members.
template <typename... Members>
requires(sizeof...(Members) > 1) std::int64_t held_bytes(const Members&... members) { return (held_bytes(members) + ...); }

// ---- data of a profile ----

class DerivedData {
 public:
  struct Slot {
    std::once_flag once;
    std::shared_ptr<const void> value;  // made once
  };

  using Computation = void (*)();

  // Where the result of a computation for one choice is.
  Slot& slot(Computation computation, int choice);

  // REQUIRES: it was not set, and no other thread sets it.
  template <typename Value>
  void set(Slot& slot, std::shared_ptr<const Value> value) {
    bytes_ += static_cast<std::int64_t>(sizeof(Value)) + held_bytes(*value);
    slot.value = std::move(value);
  }

  std::int64_t bytes() const { return bytes_; }

 private:
  std::mutex mutex_;
  std::map<std::pair<Computation, int>, Slot> slots_;
  std::atomic<std::int64_t> bytes_{0};
};

// A profile that can hold derived data. For a profile that is shared otherwise, derived data are computed at each request.
ProfilePtr share_profile(std::unique_ptr<const Profile> profile);

// Null for a profile that share_profile did not make. Valid as long as the profile is.
DerivedData* derived_data(const ProfilePtr& profile);

// The result of a computation for one choice: that of `make`, which runs once for a profile.
template <typename Value, typename Compute, typename Make>
std::shared_ptr<const Value> made_once(const ProfilePtr& profile, Compute compute, int choice, Make make) {
  DerivedData* const data = derived_data(profile);
  if (data == nullptr) return std::make_shared<const Value>(make());
  DerivedData::Slot& slot = data->slot(reinterpret_cast<DerivedData::Computation>(compute), choice);
  std::call_once(slot.once, [&] { data->set(slot, std::make_shared<const Value>(make())); });
  return std::static_pointer_cast<const Value>(slot.value);
}

// The result of `compute` for a profile. Profiles are immutable, so it never becomes stale. Thread-safe: concurrent requests for
// the same result wait for one computation; requests for others do not wait.
template <typename Value>
std::shared_ptr<const Value> derived(const ProfilePtr& profile, Value (*compute)(const ProfilePtr&)) {
  return made_once<Value>(profile, compute, 0, [&] { return compute(profile); });
}

// The same of a computation with choices, an enumeration or bool: each choice has its own result.
template <typename Value, typename Choice>
std::shared_ptr<const Value> derived(const ProfilePtr& profile,
                                     std::type_identity_t<Value (*)(const ProfilePtr&, Choice)> compute, Choice choice) {
  return made_once<Value>(profile, compute, static_cast<int>(choice), [&] { return compute(profile, choice); });
}

// Uses a stored result of `compute`, unless one was computed already.
template <typename Value>
void keep_derived(const ProfilePtr& profile, Value (*compute)(const ProfilePtr&), Value stored) {
  if (derived_data(profile) == nullptr) return;
  made_once<Value>(profile, compute, 0, [&] { return std::move(stored); });
}

}  // namespace sightline::analyses
