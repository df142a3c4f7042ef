// LaneWriter: appends lanes with their slices to a profile, one lane after the other. Slices are sorted and nested; those that
// truly overlap others of their lane go to overflow lanes.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace sightline {

struct NewSlice {
  Time start, duration;
  StringId name;
  SliceKind kind;
  std::int64_t source;
};

struct NewLane {
  LaneKind kind;
  Row process;
  std::int64_t device;  // kUnknown: of none
  std::string_view track, name;
};

class LaneWriter {
 public:
  explicit LaneWriter(Profile& profile) : p_(profile) {}

  // A group of lanes, by a name that no other has. Returns its row of processes.
  Row add_process(std::string_view name);

  // `placed(i, row)` says which row slice i became, in the order of rows.
  void add_lane(const NewLane& lane, const std::vector<NewSlice>& slices, const std::function<void(std::size_t, Row)>& placed);

  // A lane without slices, for counters. Returns its row of lanes.
  Row add_counter_lane(const NewLane& lane);

 private:
  Row open_lane(const NewLane& lane, Row overflow_of);

  Profile& p_;
};

}  // namespace sightline
