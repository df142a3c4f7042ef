// The calls of the host that the dependency graph has as nodes: those that launched device work, and those that wait for it.
#pragma once

#include <span>
#include <vector>

#include "base/layers.h"
#include "model/profile.h"

namespace sightline::analyses {

// A call that ends this long after device work waited for it. A call waits at least as long as the second says; a call that
// copies and takes less than the third does not wait for its copy.
inline constexpr Time kLongestTail = 20'000, kShortestWait = 2'000, kShortestCopyWait = 30'000;  // ns

// A call that waits for all work of a stream or a device may end later, by this share of its length: its thread may not run at
// once.
inline constexpr double kLongestTailShare = 0.05;

struct HostCall {
  Row slice;
  bool waits = false;          // it synchronizes, or waits for its own copy
  bool waits_for_all = false;  // for all work of a stream or a device, and not for one event
  Row own_copy = kNoRow;       // row of device_work: the copy that it launched and waits for
};

class HostCalls {
 public:
  explicit HostCalls(const Profile& profile);

  std::span<const HostCall> all() const { return calls_; }  // by slice

  // The row of the call of a row of launches; kNoRow for kNoRow, and for a call that launched nothing.
  Row of_launch(Row launch) const { return launch == kNoRow ? kNoRow : of_launch_[launch]; }

  // Calls visit(call, begins) for the beginning of each call, and for the end of each that waits: lane by lane, in the order of
  // time and nesting.
  template <typename Visit>
  void each_border(Visit&& visit) const {
    std::vector<Row> open;
    const auto close_until = [&](Row lane, Time time) {
      while (!open.empty()) {
        const Row slice = calls_[open.back()].slice;
        if (p_.slices.lane[slice] == lane && p_.end_of(slice) > time) return;
        visit(open.back(), false);
        open.pop_back();
      }
    };
    for (Row call = 0; call < calls_.size(); ++call) {
      const Row slice = calls_[call].slice;
      close_until(p_.slices.lane[slice], p_.slices.start[slice]);
      visit(call, true);
      if (calls_[call].waits) open.push_back(call);
    }
    close_until(kNoRow, 0);
  }

 private:
  const Profile& p_;
  std::vector<HostCall> calls_;
  std::vector<Row> of_launch_;
};

// By lane: the first lane of its chain. Overflow lanes belong to their thread, and so do lanes that have only its calls of a
// runtime. Two threads are one chain if one runs the backward pass of the other: one waits while the other works.
std::vector<Row> joined_threads(const Profile& profile);

}  // namespace sightline::analyses
