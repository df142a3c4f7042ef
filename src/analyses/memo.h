// Memo: what several views compute from the same profile is computed once and kept with the profile (derived_data.h).
// Profiles are immutable, so nothing goes stale. Thread-safe: callers that request the same at once wait for one
// computation, others do not wait for them.
#pragma once

#include <cstdint>
#include <memory>

#include "analyses/derived_data.h"
#include "analyses/held_bytes.h"
#include "model/profile.h"

namespace sightline {

template <typename Value>
class Memo {
 public:
  using Compute = Value (*)(const ProfilePtr&);
  explicit Memo(Compute compute) : compute_(compute) {}

  std::shared_ptr<const Value> of(const ProfilePtr& profile) const {
    DerivedData* data = derived_data(profile);
    if (data == nullptr) return std::make_shared<const Value>(compute_(profile));
    DerivedData::Slot& slot = data->slot(this);
    std::call_once(slot.once, [&] {
      auto value = std::make_shared<const Value>(compute_(profile));
      data->add_bytes(static_cast<std::int64_t>(sizeof(Value)) + held_bytes(*value));
      slot.value = std::move(value);
    });
    return std::static_pointer_cast<const Value>(slot.value);
  }

 private:
  Compute compute_;
};

}  // namespace sightline
