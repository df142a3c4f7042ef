// DerivedData: what views compute from a profile and share. It belongs to the profile: it goes with it, and its bytes count as
// the profile's.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "model/profile.h"

namespace sightline {

class DerivedData {
 public:
  struct Slot {
    std::once_flag once;
    std::shared_ptr<const void> value;  // made once
  };

  // The slot of a Memo, which tells them apart by its address.
  Slot& slot(const void* memo);

  void add_bytes(std::int64_t more) { bytes_ += more; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::mutex mutex_;
  std::map<const void*, Slot> slots_;
  std::atomic<std::int64_t> bytes_{0};
};

// A profile that has a place for such data. One that is shared otherwise has none: what is derived from it is made anew each
// time.
ProfilePtr share_profile(std::unique_ptr<const Profile> profile);

// Null for a profile that share_profile did not make. Valid as long as the profile is.
DerivedData* derived_data(const ProfilePtr& profile);

}  // namespace sightline
