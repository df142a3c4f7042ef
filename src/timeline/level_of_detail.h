// LevelOfDetail: what a screen shows of one row of the timeline (the slices of one lane at one depth), in time
// proportional to its pixels and not to its slices. Slices at least a pixel long come one by one; shorter ones come
// as marks, one per pixel at most, each with its count, busy time and longest slice.
// Pixels are powers of two ns. From where a mark sums up many slices on, the marks of every such pixel are kept, each
// level made from the finer one; below, there are few slices to a pixel, and they are read.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/tables.h"

namespace sightline::timeline {

// Something to draw: one slice (count 1: start and end are its own), or several within one pixel.
struct Mark {
  Time start = 0;   // of the first slice in it
  Time end = 0;     // of the last one
  Time busy = 0;    // sum of the durations
  Row longest = 0;  // row of slices: the longest, the first of equals
  std::uint32_t count = 0;
  StringId name = StringId::none;  // of the longest
  SliceKind kind = SliceKind::other;
  friend bool operator==(const Mark&, const Mark&) = default;
};

// A window of time and how it is cut: pixels are [start + k * pixel, start + (k + 1) * pixel).
struct Window {
  Time start = 0;
  Time end = 0;
  Time pixel = 1;  // ns per pixel, at least 1
};

// The window widened to whole pixels, and the pixel narrowed to a power of two.
Window aligned(const Window& window);

class LevelOfDetail {
 public:
  // `rows` are rows of `slices` that do not overlap, by start. Keeps references to both: they must outlive it.
  LevelOfDetail(const Slices& slices, std::span<const Row> rows);

  // The same again, from the levels of one that was made of equal slices and rows. They must outlive it as well.
  using Levels = std::vector<std::span<const Mark>>;
  LevelOfDetail(const Slices& slices, std::span<const Row> rows, unsigned first_shift, Levels levels)
      : slices_(slices), rows_(rows), first_shift_(first_shift), levels_(std::move(levels)) {}

  LevelOfDetail(LevelOfDetail&&) = default;
  LevelOfDetail(const LevelOfDetail&) = delete;

  unsigned first_shift() const { return first_shift_; }
  const Levels& levels() const { return levels_; }  // [k]: all marks for pixels of 2^(first_shift() + k) ns

  // Appends the marks of all slices that touch the window, in order. A slice is shown alone when it lasts a pixel or
  // more, or when no other short one starts in its pixel; the others that start in one pixel, with no long
  // slice between them, are one mark. At most two marks per pixel and one more at the left edge.
  // REQUIRES: the window is aligned().
  void query(const Window& window, std::vector<Mark>& marks) const;

  std::size_t size() const { return rows_.size(); }
  std::size_t bytes() const;

 private:
  Time start(std::size_t i) const { return slices_.start[rows_[i]]; }
  Time end(std::size_t i) const { return start(i) + slices_.duration[rows_[i]]; }
  Mark one(std::size_t i) const;
  // Index of the first slice that starts at or after `time`.
  std::size_t first_starting(Time time) const;
  // Appends the marks of the slices from index `from` on that start before `until`, for pixels of 2^shift ns; stops
  // after `most` marks. Returns the index of the first slice left.
  std::size_t join_slices(std::size_t from, Time until, unsigned shift, std::size_t most, std::vector<Mark>& marks) const;
  std::vector<Mark> join_marks(std::span<const Mark> finer, unsigned shift) const;
  void build_levels();
  void add_level(std::vector<Mark> marks);

  const Slices& slices_;
  std::span<const Row> rows_;
  unsigned first_shift_ = 0;
  Levels levels_;
  std::vector<std::vector<Mark>> built_;  // what levels_ are, unless they were given
};

}  // namespace sightline::timeline
