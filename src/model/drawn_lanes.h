// Drawn lanes: the lanes of a profile as a timeline shows them, and their numbers. A drawn lane is a lane together with the
// overflow lanes that relieve it; the Python frames of a host thread are one of their own, since other ranges may truly overlap
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace sightline::model {

enum class LanePart : std::uint8_t { ranges, python };

// The part of the lane that a slice of this kind is drawn in.
constexpr LanePart part_of(LaneKind lane, SliceKind kind) {
  const bool frame = kind == SliceKind::python || kind == SliceKind::module;
  return lane == LaneKind::host_thread && frame ? LanePart::python : LanePart::ranges;
}

struct DrawnLaneSource {
  std::vector<Row> lanes;  // rows of lanes: the lane itself, then those that relieve it
  LanePart part = LanePart::ranges;

  bool holds(const Profile& profile, Row slice) const {
    return part_of(profile.lanes.kind[lanes[0]], profile.slices.kind[slice]) == part;
  }
};

// By number: in the order of the lanes table, the frames of a thread right after its ranges. Each has slices.
std::vector<DrawnLaneSource> drawn_lanes(const Profile& profile);

}  // namespace sightline::model
