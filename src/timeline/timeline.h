// Timeline: the lanes of a profile as rows of slices that do not overlap, each with its level-of-detail tree, so
// that any window is answered in time proportional to the pixels asked for. Built once per profile, in parallel;
// immutable afterwards, any number of threads may query it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "model/profile.h"
#include "timeline/level_of_detail.h"

namespace sightline {

// A lane as it is drawn: the lane itself and the overflow lanes that relieve it, one row per depth of each.
struct DrawnLane {
  Row lane = 0;    // row of lanes (never an overflow lane)
  Time start = 0;  // extent of its slices; both 0 when there are none
  Time end = 0;
  std::uint64_t slices = 0;
  std::vector<std::uint32_t> rows;  // indices for Timeline::query, outermost first
};

class Timeline {
 public:
  // `threads` 0: all cores.
  Timeline(ProfilePtr profile, unsigned threads);

  const Profile& profile() const { return *profile_; }
  // In the order of the lanes table; lanes without slices (counters) included.
  const std::vector<DrawnLane>& lanes() const { return lanes_; }

  // Appends the marks of one row. REQUIRES: `row` stands in some DrawnLane.
  void query(std::uint32_t row, const Window& window, std::vector<Mark>& marks) const { details_[row].query(window, marks); }

  // By slice: the module call it belongs to (enclosing_modules); worked out when first asked for.
  const std::vector<Row>& modules() const;

  // Memory of the order and the trees.
  std::size_t bytes() const;

 private:
  struct DepthRow {
    std::size_t first;  // range in order_
    std::size_t last;
  };

  // The slices of `lane` by depth, then start, in order_; the rows they form.
  std::vector<DepthRow> split_by_depth(Row lane);

  ProfilePtr profile_;
  std::vector<Row> order_;
  std::vector<LevelOfDetail> details_;
  std::vector<DrawnLane> lanes_;
  mutable std::once_flag modules_known_;
  mutable std::vector<Row> modules_;
};

}  // namespace sightline
