// What a host thread was in at each instant: the innermost recorded range.
#pragma once

#include <algorithm>
#include <vector>

#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

class HostStates {
 public:
  explicit HostStates(const Profile& profile) : p_(profile), first_(profile.lanes.rows() + 1) {
    const auto& lane = p_.slices.lane;
    for (Row row = 0; row < first_.size(); ++row) {
      first_[row] = static_cast<Row>(std::lower_bound(lane.begin(), lane.end(), row) - lane.begin());
    }
  }

  // Calls visit(interval, slice) for the parts of `window`, in order: the slice is the innermost one of the lane, or kNoRow.
  // Slices of the thread's overflow lanes are not looked at. O(log n + slices in the window).
  template <typename Visit>
  void each(Row lane, Interval window, Visit&& visit) const {
    const auto& start = p_.slices.start;
    const auto begin = start.begin() + first_[lane], end = start.begin() + first_[lane + 1];
    Row next = static_cast<Row>(std::upper_bound(begin, end, window.start) - start.begin());
    Row open = next == first_[lane] ? kNoRow : next - 1;
    for (Time at = window.start; at < window.end;) {
      while (open != kNoRow && p_.end_of(open) <= at) open = p_.slices.parent[open];
      while (next < first_[lane + 1] && p_.slices.duration[next] == 0) ++next;
      Time until = open == kNoRow ? window.end : std::min(window.end, p_.end_of(open));
      const bool enters = next < first_[lane + 1] && start[next] < until;
      if (enters) until = std::max(at, start[next]);
      if (until > at) visit(Interval{at, until}, open);
      at = until;
      if (enters) open = next++;
    }
  }

 private:
  const Profile& p_;
  std::vector<Row> first_;  // by lane: its first row of slices; then the number of slices
};

}  // namespace sightline::analyses
