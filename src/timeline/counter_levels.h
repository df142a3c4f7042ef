// CounterLevels: what a screen shows of a step function, the least, the most and the last value of every pixel, in time
// proportional to the pixels and not to the points. Immutable; any number of threads may query it.
#pragma once

#include <span>
#include <vector>

#include "timeline/level_of_detail.h"

namespace sightline::timeline {

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

  std::size_t bytes() const;  // that the tree takes

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
