// The data belong to the deleter of the shared profile.
#include "analyses/derived_data.h"

namespace sightline::analyses {

// ---- data of a profile ----

namespace {

struct Deleter {
  std::shared_ptr<DerivedData> data = std::make_shared<DerivedData>();

  // The deleter itself lives on as long as anything holds a weak pointer to the profile.
  void operator()(const Profile* profile) {
    data.reset();
    delete profile;
  }
};

}  // namespace

DerivedData::Slot& DerivedData::slot(Computation computation, int choice) {
  const std::lock_guard lock(mutex_);
  return slots_[{computation, choice}];
}

ProfilePtr share_profile(std::unique_ptr<const Profile> profile) {
  Deleter deleter;
  return {profile.release(), std::move(deleter)};
}

DerivedData* derived_data(const ProfilePtr& profile) {
  const Deleter* deleter = std::get_deleter<Deleter>(profile);
  return deleter == nullptr ? nullptr : deleter->data.get();
}

}  // namespace sightline::analyses
