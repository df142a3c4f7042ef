// LevelOfDetail: what a screen shows of one row of the timeline (the slices of one lane at one depth), in time
// proportional to its pixels and not to its slices. Slices at least a pixel long come one by one; shorter ones come
// as marks, one per pixel at most, each with its count, busy time and longest slice.
// Over the row stand two small structures, sums of durations per block and a tree of maximal durations, which answer
// any window; and for pixels of a power of two ns, from where a mark sums up many slices on, the marks themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tables.h"

namespace sightline {

// Something to draw: one slice (count 1: start and end are its own), or several within one pixel.
struct Mark {
  Time start = 0;   // of the first slice in it
  Time end = 0;     // of the last one
  Time busy = 0;    // sum of the durations
  Row longest = 0;  // row of slices: the longest, the first of equals
  std::uint32_t count = 0;
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

  // Appends the marks of all slices that touch the window, in order. A slice is shown alone when it lasts a pixel or
  // more, or when no other short one starts in its pixel; the others that start in one pixel, with no long
  // slice between them, are one mark. At most two marks per pixel and one more at the left edge.
  // Fastest when the pixel is a power of two and the window starts and ends at multiples of it (see aligned).
  void query(const Window& window, std::vector<Mark>& marks) const;

  std::size_t size() const { return rows_.size(); }
  std::size_t bytes() const;

 private:
  static constexpr std::size_t kFanOut = 16;
  static constexpr std::size_t kLeastForLevels = 1024;  // shorter rows are quick without

  Time start(std::size_t i) const { return slices_.start[rows_[i]]; }
  Time duration(std::size_t i) const { return slices_.duration[rows_[i]]; }
  Time end(std::size_t i) const { return start(i) + duration(i); }

  // First i in [from, to) that lasts at least `least`, or `to`.
  std::size_t first_long(std::size_t from, std::size_t to, Time least) const;
  // The slice before the window that reaches into it, if any; returns the index of the first that starts in it.
  std::size_t left_edge(const Window& window, std::vector<Mark>& marks) const;
  void query_slices(const Window& window, std::vector<Mark>& marks) const;
  void query_level(const std::vector<Mark>& level, const Window& window, std::vector<Mark>& marks) const;
  void build_levels();
  // Appends `next` to the marks of a level whose pixel is 2^shift ns, joining it to the last one where they share it.
  void join(std::vector<Mark>& level, const Mark& next, unsigned shift) const;

  // Index of the longest slice in [from, to), the first of equals. REQUIRES: from < to.
  std::size_t longest(std::size_t from, std::size_t to) const;
  // Sum of durations of [0, i).
  Time busy_before(std::size_t i) const;
  // First i >= from that starts at or after `time`; gallops, since the answer is usually near.
  std::size_t first_starting(std::size_t from, Time time) const;

  const Slices& slices_;
  std::span<const Row> rows_;
  std::vector<Time> block_busy_;  // sum of durations before each block of kFanOut slices
  unsigned first_shift_ = 0;      // levels_[k]: all marks for pixels of 2^(first_shift_ + k) ns
  std::vector<std::vector<Mark>> levels_;
  std::vector<std::vector<Time>> longest_in_;  // [level][block]: longest duration in a block of kFanOut^(level + 1)
};

}  // namespace sightline
