// LevelOfDetail: the marks that a screen draws for one row of the timeline
// (the slices of one lane at one depth), in time proportional to the pixels
// and not to the slices. A slice of a pixel or more is one mark; shorter
// slices are joined, at most one mark per pixel, with their count, busy time
// and longest slice. Pixels are powers of two ns. For pixels that contain
// many slices the marks are stored, each level made from the finer one; for
// finer pixels they are made from the slices on request. CounterLevels: the
// same for a step function, with the minimum, maximum and last value per
// pixel. Both are immutable; any number of threads may query them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/tables.h"

namespace sightline::timeline {

// One slice (count 1), or several within one pixel.
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

  // Made from the levels of another one with equal slices and rows. The levels must outlive it too.
  using Levels = std::vector<std::span<const Mark>>;
  LevelOfDetail(const Slices& slices, std::span<const Row> rows, unsigned first_shift, Levels levels)
      : slices_(slices), rows_(rows), first_shift_(first_shift), levels_(std::move(levels)) {}

  LevelOfDetail(LevelOfDetail&&) = default;
  LevelOfDetail(const LevelOfDetail&) = delete;

  unsigned first_shift() const { return first_shift_; }
  const Levels& levels() const { return levels_; }  // [k]: all marks for pixels of 2^(first_shift() + k) ns

  // Appends the marks of all slices that touch the window, in
  // order. A slice has its own mark when it lasts a pixel or
  // more, or when no other short slice starts in its pixel. Other
  // slices that start in one pixel, with no long slice between
  // them, are one mark. At most two marks per pixel, and one more
  // at the left edge. REQUIRES: the window is aligned().
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
  std::vector<std::vector<Mark>> built_;  // the memory of levels_, unless they were given
};

// ---- counters ----

// The values in one pixel from the first change there on. NaN: unknown (`least` and `most`: throughout).
struct CounterEntry {
  Time time = 0;  // of the first change in the pixel
  double least = 0;
  double most = 0;
  double last = 0;
};

class CounterLevels {
 public:
  // value[i] holds from time[i] on; times ascend strictly. Keeps references to both: they must outlive it.
  CounterLevels(std::span<const Time> time, std::span<const double> value);

  // Appends the value before the window, at the time of its change, then one entry per pixel [start + k * pixel, ...) in which
  // the value changes.
  void query(const Window& window, std::vector<CounterEntry>& entries) const;

  std::size_t bytes() const;  // of the tree

 private:
  struct Bounds {
    double least, most;
    void add(const Bounds& other);
  };

  Bounds bounds_of(std::size_t i) const { return {value_[i], value_[i]}; }
  Bounds bounds(std::size_t from, std::size_t to) const;
  std::size_t first_from(std::size_t from, Time time) const;

  std::span<const Time> time_;
  std::span<const double> value_;
  std::vector<std::vector<Bounds>> levels_;  // [level][block]: of kFanOut^(level + 1) values
};

}  // namespace sightline::timeline
