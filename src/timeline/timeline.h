// Timeline: the lanes of a profile as rows of slices that do not overlap, each with its level-of-detail tree, so that a query for
// a window takes time proportional to the pixels of the window. Built once per profile, in parallel; then immutable, and any
// number of threads may query it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/packed.h"
#include "model/column.h"
#include "model/drawn_lanes.h"
#include "model/nesting.h"
#include "timeline/level_of_detail.h"
#include "timeline/relations.h"

namespace sightline::timeline {

// Gives each slice of a drawn lane a row. Slices of one row
// do not overlap, slices inside a slice are below it, and
// slices that truly overlap go to further rows at the bottom.
class RowLayout {
 public:
  // The place of the next slice: places are numbered in order of first use, and rows()[place] is the row. Slices come by
  // (start,
  // -duration) and nest as in Nester. There are at most 65536 places; deeper slices share the last place.
  std::uint16_t place(Time start, Time end);

  // The row of each place, after the last slice: piles one below the other, outermost slices first.
  std::vector<std::uint16_t> rows() const;

 private:
  Nester nester_;
  std::vector<std::vector<std::uint16_t>> places_;  // by pile and depth
  std::size_t used_ = 0;
};

// A lane as it is drawn: one part of a lane and of its overflow lanes, nested again.
struct DrawnLane {
  std::uint32_t lane = 0;  // its number: the index in Timeline::lanes() and in drawn_lanes
  Row source = 0;          // row of lanes (never an overflow lane)
  LanePart part = LanePart::ranges;
  Time start = 0;  // extent of its slices; both 0 when there are none
  Time end = 0;
  std::uint64_t slices = 0;
  std::vector<std::uint32_t> rows;  // indices for Timeline::query, outermost first
};

// Where a slice is drawn: the number of a drawn lane, and the index in its rows.
struct DrawnPlace {
  std::uint32_t lane;
  std::uint16_t row;
};

class Timeline {
 public:
  // `threads` 0: all cores.
  Timeline(ProfilePtr profile, unsigned threads);

  // keep() adds the data of a timeline as sections of a file; kept() makes
  // the timeline of the same profile from them, almost without work. Null
  // when the sections contain no timeline, or that of another profile.
  static void keep(const std::shared_ptr<const Timeline>& timeline, Sections& sections);
  static std::shared_ptr<const Timeline> kept(const ProfilePtr& profile, const Sections& sections);

  const Profile& profile() const { return *profile_; }
  const ProfilePtr& profile_pointer() const { return profile_; }

  // By number; see drawn_lanes.
  const std::vector<DrawnLane>& lanes() const { return lanes_; }

  // Of a range that was replayed with a graph: the place of the launch.
  DrawnPlace place_of(Row slice) const {
    while (is_replayed(*profile_, slice)) slice = profile_->slices.parent[slice];
    const Row lane = profile_->slices.lane[slice];
    return {drawn_as_[lane][static_cast<std::size_t>(part_of(profile_->lanes.kind[lane], profile_->slices.kind[slice]))],
            row_[slice]};
  }

  // The slices of a row, by start. REQUIRES, also for query: `row` is in a DrawnLane.
  std::span<const Row> slices_of(std::uint32_t row) const {
    return {order_.data() + bounds_[row], bounds_[row + 1] - bounds_[row]};
  }

  // Appends the marks of one row.
  void query(std::uint32_t row, const Window& window, std::vector<Mark>& marks) const { details_[row].query(window, marks); }

  // Made on the first request, like modules().
  const Relations& relations() const;

  // By slice: the module call that it belongs to (enclosing_modules).
  const std::vector<Row>& modules() const;

  // Bytes of all its data so far, in memory or mapped.
  std::size_t bytes() const;

 private:
  struct Family;
  struct Shape;

  explicit Timeline(ProfilePtr profile) : profile_(std::move(profile)) {}

  bool take(const Sections& sections);
  void lay_out(Family& family);
  void add_lanes(const Family& family);

  ProfilePtr profile_;
  Column<std::uint16_t> row_;                           // by slice: DrawnPlace::row
  std::vector<std::array<std::uint32_t, 2>> drawn_as_;  // by row of lanes and part: number of the drawn lane
  Column<Row> order_;                                   // drawn slices: drawn lane by drawn lane, row by row, by start
  std::vector<std::size_t> bounds_;                     // of the rows in order_
  std::vector<LevelOfDetail> details_;
  std::shared_ptr<const void> marks_;  // the memory that the levels of details_ borrow, if they do
  std::vector<DrawnLane> lanes_;
  mutable std::once_flag relations_made_;
  mutable std::unique_ptr<const Relations> relations_;
  mutable std::once_flag modules_known_;
  mutable std::vector<Row> modules_;
  mutable std::atomic<std::size_t> later_bytes_{0};  // of the relations and the modules
};

}  // namespace sightline::timeline
