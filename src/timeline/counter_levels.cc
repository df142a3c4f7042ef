// CounterLevels: a tree of least and most values of fan-out 16.
#include "timeline/counter_levels.h"

#include <algorithm>
#include <cmath>

namespace sightline::timeline {

namespace {

constexpr std::size_t kFanOut = 16;

}  // namespace

void CounterLevels::Bounds::add(const Bounds& other) {
  least = std::fmin(least, other.least);  // fmin and fmax pass over NaN
  most = std::fmax(most, other.most);
}

CounterLevels::CounterLevels(std::span<const Time> time, std::span<const double> value) : time_(time), value_(value) {
  const auto raise = [](std::size_t count, auto&& below) {
    std::vector<Bounds> level;
    for (std::size_t i = 0; i < count; ++i) {
      if (i % kFanOut == 0) {
        level.push_back(below(i));
      } else {
        level.back().add(below(i));
      }
    }
    return level;
  };
  if (value.size() <= kFanOut) return;
  levels_.push_back(raise(value.size(), [&](std::size_t i) { return bounds_of(i); }));
  while (levels_.back().size() > kFanOut) {
    levels_.push_back(raise(levels_.back().size(), [&](std::size_t i) { return levels_.back()[i]; }));
  }
}

// Of the values [from, to): climbs to wide blocks and down again. REQUIRES: from < to.
std::size_t CounterLevels::bytes() const {
  std::size_t bytes = 0;
  for (const std::vector<Bounds>& level : levels_) bytes += level.capacity() * sizeof(Bounds);
  return bytes;
}

CounterLevels::Bounds CounterLevels::bounds(std::size_t from, std::size_t to) const {
  Bounds sum = bounds_of(from);
  std::size_t i = from + 1;
  while (i < to) {
    std::size_t width = 1;
    std::size_t level = 0;
    while (level < levels_.size() && i % (width * kFanOut) == 0 && i + width * kFanOut <= to) {
      width *= kFanOut;
      ++level;
    }
    sum.add(level == 0 ? bounds_of(i) : levels_[level - 1][i / width]);
    i += width;
  }
  return sum;
}

// The first point i >= from at or after `time`; gallops, since the answer is usually near.
std::size_t CounterLevels::first_from(std::size_t from, Time time) const {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step < time_.size() && time_[low + step] < time) {
    low += step;
    step *= 2;
  }
  const auto begin = time_.begin();
  const std::size_t high = std::min(time_.size(), low + step + 1);
  return static_cast<std::size_t>(
      std::lower_bound(begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(high), time) - begin);
}

void CounterLevels::query(const Window& window, std::vector<CounterEntry>& entries) const {
  std::size_t i = first_from(0, window.start);
  if (i > 0) entries.push_back({time_[i - 1], value_[i - 1], value_[i - 1], value_[i - 1]});
  while (i < time_.size() && time_[i] < window.end) {
    const Time pixel_end = window.start + ((time_[i] - window.start) / window.pixel + 1) * window.pixel;
    const std::size_t after = first_from(i, std::min(pixel_end, window.end));
    const Bounds in_pixel = bounds(i, after);
    entries.push_back({time_[i], in_pixel.least, in_pixel.most, value_[after - 1]});
    i = after;
  }
}

}  // namespace sightline::timeline
