// Lanes that an analysis makes for the timeline. They are the lanes and slices of a profile of their own, so a timeline draws
// them like recorded ones. A slice has a class, which gives its colour, and may lead to a slice of the recording.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "analyses/derived_data.h"
#include "base/sort.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

struct LaneClass {
  std::string_view title;
  std::string_view hue;  // a category, or a text that a colour is made from
};

struct DerivedSlice {
  Interval time;
  std::size_t of = 0;  // number of its class
  Row leads_to = kNoRow;
};

class DerivedLanes {
 public:
  const ProfilePtr& profile() const { return profile_; }          // its lanes and slices alone
  const std::vector<Message>& titles() const { return titles_; }  // by its lane
  const std::vector<LaneClass>& classes() const { return classes_; }
  std::uint8_t class_of(Row slice) const { return of_[slice]; }
  Row leads_to(Row slice) const { return leads_to_[slice]; }  // a row of slices of the recording, or none

  void add_class(LaneClass added) { classes_.push_back(added); }

  // A slice has the name of the recorded one that it leads to.
  void add_lane(const Profile& recorded, Message title, std::vector<DerivedSlice> slices) {
    sort_up(slices, [](const DerivedSlice& slice) { return slice.time.start; });
    Profile& p = *made_;
    const Row lane = add_unknown_row(p.lanes);
    p.lanes.kind[lane] = LaneKind::other;
    p.lanes.first[lane] = static_cast<Row>(p.slices.rows());
    for (const DerivedSlice& each : slices) {
      const Row slice = add_unknown_row(p.slices);
      p.slices.start[slice] = each.time.start;
      p.slices.duration[slice] = each.time.length();
      p.slices.lane[slice] = lane;
      if (each.leads_to != kNoRow) p.slices.name[slice] = p.strings.intern(recorded.text(recorded.slices.name[each.leads_to]));
      of_.push_back(static_cast<std::uint8_t>(each.of));
      leads_to_.push_back(each.leads_to);
    }
    p.lanes.last[lane] = static_cast<Row>(p.slices.rows());
    titles_.push_back(std::move(title));
  }

  friend std::int64_t held_bytes(const DerivedLanes& lanes) {
    constexpr std::int64_t kSliceBytes = 48;  // of all columns of slices, and of the two here
    return std::ssize(lanes.of_) * kSliceBytes;
  }

 private:
  std::shared_ptr<Profile> made_ = std::make_shared<Profile>();
  ProfilePtr profile_ = made_;
  std::vector<Message> titles_;
  std::vector<LaneClass> classes_;
  std::vector<std::uint8_t> of_;
  std::vector<Row> leads_to_;
};

// What the steps waited for: their critical path, and for each device the causes of its idle time. Once per profile.
std::shared_ptr<const DerivedLanes> wait_lanes(const ProfilePtr& profile);
bool has_wait_lanes(const Profile& profile);

}  // namespace sightline::analyses
