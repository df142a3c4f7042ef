// Memo: what several views compute from the same profile is computed once and kept while the profile lives.
// Profiles are immutable, so an entry never goes stale; it is dropped when its profile is gone. Thread-safe:
// callers that ask for the same profile at once wait for one computation, others do not wait for them.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "model/profile.h"

namespace sightline {

template <typename Value>
class Memo {
 public:
  using Compute = Value (*)(const ProfilePtr&);
  explicit Memo(Compute compute) : compute_(compute) {}

  std::shared_ptr<const Value> of(const ProfilePtr& profile) {
    const std::shared_ptr<Entry> entry = entry_of(profile);
    std::call_once(entry->once, [&] { entry->value = std::make_shared<const Value>(compute_(profile)); });
    return entry->value;
  }

 private:
  struct Entry {
    std::weak_ptr<const Profile> profile;
    std::once_flag once;
    std::shared_ptr<const Value> value;
  };

  std::shared_ptr<Entry> entry_of(const ProfilePtr& profile) {
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_.remove_if([](const std::shared_ptr<Entry>& entry) { return entry->profile.expired(); });
    for (const std::shared_ptr<Entry>& entry : entries_) {
      if (entry->profile.lock() == profile) return entry;
    }
    entries_.push_back(std::make_shared<Entry>());
    entries_.back()->profile = profile;
    return entries_.back();
  }

  Compute compute_;
  std::mutex mutex_;
  std::list<std::shared_ptr<Entry>> entries_;
};

}  // namespace sightline
