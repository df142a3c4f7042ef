// ClockReader: Clock::picoseconds for ticks that mostly lie near one another. The exact quotient is kept for one of them; those
// near it are a few bits away, where a product of doubles is off by one at most, which its remainder tells.
#pragma once

#include <cstdint>

#include "readers/neuron/ntff_header.h"

namespace sightline::neuron {

class ClockReader {
 public:
  explicit ClockReader(const Clock& clock = {})
      : clock_(clock),
        expected_(static_cast<std::int64_t>(clock.expected)),
        actual_(static_cast<std::int64_t>(clock.actual)),
        inverse_(clock.actual == 0 ? 0 : 1 / static_cast<double>(clock.actual)),
        usable_(clock.known() && clock.expected >> 31 == 0 && clock.actual >> 31 == 0) {}

  // clock.picoseconds(ticks), and kUnknown of a clock that says nothing.
  std::int64_t picoseconds(std::uint64_t ticks) {
    const auto away = static_cast<std::int64_t>(ticks - near_);
    const bool wraps = (away < 0) != (ticks < near_);
    if (!anchored_ || away >= kNear || away <= -kNear || wraps) [[unlikely]]
      return exactly(ticks);
    const std::int64_t scaled = rest_ + away * expected_;  // less than 2^53
    auto quotient = static_cast<std::int64_t>(static_cast<double>(scaled) * inverse_);
    const std::int64_t rest = scaled - quotient * actual_;
    quotient += rest >= actual_ ? 1 : rest < 0 ? -1 : 0;
    return time_ + quotient;
  }

 private:
  static constexpr std::int64_t kNear = std::int64_t{1} << 21;

  std::int64_t exactly(std::uint64_t ticks) {
    if (!clock_.known()) return kUnknown;
    const std::int64_t time = clock_.picoseconds(ticks);
    if (usable_ && time != kUnknown) {
      __extension__ using Wide = __int128;
      const Wide scaled = (static_cast<Wide>(ticks) - static_cast<Wide>(clock_.first)) * static_cast<Wide>(clock_.expected);
      anchored_ = true;
      near_ = ticks;
      time_ = time;
      rest_ = static_cast<std::int64_t>(scaled - static_cast<Wide>(time) * static_cast<Wide>(clock_.actual));
    }
    return time;
  }

  Clock clock_;
  std::int64_t expected_, actual_;
  double inverse_;
  bool usable_, anchored_ = false;
  std::uint64_t near_ = 0;            // ticks whose time is known exactly:
  std::int64_t time_ = 0, rest_ = 0;  // (near - first) x expected = time x actual + rest
};

}  // namespace sightline::neuron
