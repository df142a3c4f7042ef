// What fills a range of time on some lanes of the timeline: sums by name and by category of the parts of slices inside the range.
#pragma once

#include <vector>

#include "model/drawn_lanes.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// A slice is in the range when a part of it is; one of no length, when its time is in the range. Times are of the parts inside.
struct RangeSum {
  StringId name = StringId::none;  // none in sums by kind
  SliceKind kind = SliceKind::other;
  std::int64_t count = 0;
  Time total = 0;
  Time self = 0;  // total less the parts of the slices directly inside, on the same drawn lane
  Time least = 0;
  Time most = 0;
  Row longest = kNoRow;  // the slice with the longest part, the first of equals
  Time wall = 0;         // length of the union over all lanes; only in sums by kind, and of a lane
};

// The slices of one name and kind inside slices of one path.
struct PathSum {
  Row parent = kNoRow;  // the path around it, which comes before it
  StringId name = StringId::none;
  SliceKind kind = SliceKind::other;
  std::int64_t count = 0;
  Time total = 0;
  Time self = 0;
};

// The kinds of slices on some lanes, in the order of SliceKind; all of them together; and all without the ranges that a device
// repeats from its host, which say nothing of how busy it was.
struct KindSums {
  std::vector<RangeSum> by_kind;
  RangeSum all, work;
};

struct WindowSums {
  std::vector<RangeSum> by_name;                   // by name and kind, in no particular order
  std::vector<RangeSum> device_names, host_names;  // the same, of the lanes of devices and of the others
  KindSums devices;                                // of the lanes of devices together
  std::vector<KindSums> kinds_by_lane;             // as the lanes were given
  std::vector<std::vector<PathSum>> paths;         // by lane
  std::vector<RangeSum> by_kind;                   // in the order of SliceKind
  std::vector<RangeSum> by_lane;                   // as the lanes were given, each of them
  // By the operator of a compiled program that slices execute, and by the framework operator that it was made from, without
  // waits; empty if no slice executes one. `self` is the total: nested operators also count separately.
  std::vector<RangeSum> by_operator, by_layer;
  std::int64_t slices = 0;
  Time busy = 0;  // length of the union of all of them
};

// Time: of the slices in the range, lanes in parallel. Slices nest as drawn: among those of their lane that are in the range.
WindowSums range_sums(const Profile& profile, Interval range, const std::vector<DrawnLaneSource>& lanes);

}  // namespace sightline::analyses
