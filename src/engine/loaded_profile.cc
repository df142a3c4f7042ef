// The bytes of a profile's columns and strings are counted once: they never change.
#include "engine/loaded_profile.h"

#include "analyses/derived_data.h"

namespace sightline {

namespace {

std::int64_t column_bytes(const Profile& profile) {
  std::int64_t bytes = 0;
  Profile::visit_tables(profile, [&](const auto& table) {
    table.for_each_column([&](const ColumnInfo&, const auto& column) {
      bytes += static_cast<std::int64_t>(column.capacity() * sizeof(*column.data()));
    });
  });
  for (std::size_t i = 0; i < profile.strings.size(); ++i) bytes += std::ssize(profile.text(static_cast<StringId>(i)));
  return bytes;
}

}  // namespace

LoadedProfile::LoadedProfile(std::unique_ptr<const Profile> profile)
    : profile_(share_profile(std::move(profile))), column_bytes_(column_bytes(*profile_)) {}

std::shared_ptr<const Timeline> LoadedProfile::timeline(unsigned threads) {
  std::call_once(timeline_once_, [&] {
    timeline_ = std::make_shared<const Timeline>(profile_, threads);
    timeline_bytes_ = static_cast<std::int64_t>(timeline_->bytes());
  });
  return timeline_;
}

std::int64_t LoadedProfile::bytes() const { return column_bytes_ + derived_data(profile_)->bytes() + timeline_bytes_; }

}  // namespace sightline
