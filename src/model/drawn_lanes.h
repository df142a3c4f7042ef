// Drawn lanes: the lanes of a profile as a timeline shows them, their numbers, and the slices of several lanes in one order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace sightline::model {

// A drawn lane is a lane with its overflow lanes. The
// Python frames of a host thread are a separate drawn
// lane, because other ranges may truly overlap them.
// Ranges replayed with a graph are not drawn: they have
// no time of their own.
enum class LanePart : std::uint8_t { ranges, python };

// The part of the lane that a slice of this kind is drawn in.
constexpr LanePart part_of(LaneKind lane, SliceKind kind) {
  const bool frame = kind == SliceKind::python || kind == SliceKind::module;
  return lane == LaneKind::host_thread && frame ? LanePart::python : LanePart::ranges;
}

struct DrawnLaneSource {
  std::vector<Row> lanes;  // rows of lanes: the lane itself, then its overflow lanes
  LanePart part = LanePart::ranges;

  bool holds(const Profile& profile, Row slice) const {
    return part_of(profile.lanes.kind[lanes[0]], profile.slices.kind[slice]) == part && !is_replayed(profile, slice);
  }
};

// By number: in the order of the lanes table, the frames of a thread right after its ranges. Each has slices.
std::vector<DrawnLaneSource> drawn_lanes(const Profile& profile);

struct SliceRun {
  Row next;
  Row last;
};

// Calls visit(slice) for all slices of the runs in
// order of (start, -duration, row). Each run is
// sorted in this order, like the slices of a lane.
template <typename Visit>
void for_each_merged(const Profile& p, std::vector<SliceRun> runs, Visit&& visit) {
  const auto before = [&](Row a, Row b) {
    if (p.slices.start[a] != p.slices.start[b]) return p.slices.start[a] < p.slices.start[b];
    if (p.slices.duration[a] != p.slices.duration[b]) return p.slices.duration[a] > p.slices.duration[b];
    return a < b;
  };
  const auto later = [&](const SliceRun& a, const SliceRun& b) { return before(b.next, a.next); };
  std::erase_if(runs, [](const SliceRun& run) { return run.next >= run.last; });
  std::make_heap(runs.begin(), runs.end(), later);  // the next slice first
  while (!runs.empty()) {
    std::pop_heap(runs.begin(), runs.end(), later);
    SliceRun run = runs.back();
    runs.pop_back();
    do {
      visit(run.next++);
    } while (run.next != run.last && (runs.empty() || before(run.next, runs.front().next)));
    if (run.next == run.last) continue;
    runs.push_back(run);
    std::push_heap(runs.begin(), runs.end(), later);
  }
}

}  // namespace sightline::model
