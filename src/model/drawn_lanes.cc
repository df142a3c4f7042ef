// drawn_lanes: lanes with their overflow lanes, split where both parts have slices.
#include "model/drawn_lanes.h"

#include <algorithm>

namespace sightline::model {

std::vector<DrawnLaneSource> drawn_lanes(const Profile& profile) {
  const Lanes& lanes = profile.lanes;
  std::vector<std::vector<Row>> relieved_by(lanes.rows());
  for (Row lane = 0; lane < lanes.rows(); ++lane) {
    if (lanes.overflow_of[lane] != kNoRow) relieved_by[lanes.overflow_of[lane]].push_back(lane);
  }
  std::vector<DrawnLaneSource> drawn;
  for (Row main = 0; main < lanes.rows(); ++main) {
    if (lanes.overflow_of[main] != kNoRow) continue;
    DrawnLaneSource source{{main}, LanePart::ranges};
    source.lanes.insert(source.lanes.end(), relieved_by[main].begin(), relieved_by[main].end());
    for (const LanePart part : {LanePart::ranges, LanePart::python}) {
      source.part = part;
      const auto any_in = [&](Row lane) {
        Row slice = lanes.first[lane];
        while (slice < lanes.last[lane] && !source.holds(profile, slice)) ++slice;
        return slice < lanes.last[lane];
      };
      if (std::any_of(source.lanes.begin(), source.lanes.end(), any_in)) drawn.push_back(source);
    }
  }
  return drawn;
}

}  // namespace sightline::model
