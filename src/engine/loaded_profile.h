// LoadedProfile: a profile and all that is derived from it: what views share (analyses/derived_data.h), and its timeline. It is
// released as a whole; holders of a part keep that part.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "model/profile.h"
#include "timeline/timeline.h"

namespace sightline {

class LoadedProfile {
 public:
  explicit LoadedProfile(std::unique_ptr<const Profile> profile);

  const ProfilePtr& profile() const { return profile_; }

  // Built by the first caller; others wait for it.
  std::shared_ptr<const Timeline> timeline(unsigned threads);

  // Of columns and strings, in memory or mapped, and of all that has been derived so far.
  std::int64_t bytes() const;

 private:
  ProfilePtr profile_;
  std::int64_t column_bytes_;
  std::once_flag timeline_once_;
  std::shared_ptr<const Timeline> timeline_;
  std::atomic<std::int64_t> timeline_bytes_{0};
};

}  // namespace sightline
