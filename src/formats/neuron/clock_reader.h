// ClockReader: Clock::picoseconds without a division, for nearly all ticks that a recording has.
//
// A number n divided by d is n x (2^64 / d rounded down, plus 1) / 2^64 rounded down, as long as n is below 2^64 / d: the factor
// is too large by at most d / 2^64 of itself, and n times that is less than 1 / d. (Granlund and Montgomery, Division by
// invariant integers using multiplication, 1994.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "formats/neuron/ntff_header.h"

namespace sightline::formats::neuron {

class alignas(64) ClockReader {
 public:
  explicit ClockReader(const Clock& clock = {}) : clock_(clock), first_(clock.first) {
    if (!clock.known() || clock.expected >> 40 != 0 || clock.actual >> 40 != 0) return;
    // In lowest terms, so that n stays small; but the divisor is at least 2, so that the factor fits.
    const std::uint64_t common = std::gcd(clock.expected, clock.actual);
    const std::uint64_t more = clock.actual == common ? 2 : 1;
    const std::uint64_t divisor = clock.actual / common * more;
    multiplier_ = clock.expected / common * more;
    factor_ = ~std::uint64_t{0} / divisor + 1;
    far_ = std::min(~std::uint64_t{0} / divisor, std::uint64_t{1} << 60) / multiplier_;
  }

  // clock.picoseconds(ticks), and kUnknown of a clock that says nothing.
  std::int64_t picoseconds(std::uint64_t ticks) const {
    if (is_near(ticks)) return near_picoseconds(ticks);
    return clock_.known() ? clock_.picoseconds(ticks) : kUnknown;
  }

  // The same in two steps, for who does this for millions: whether the factor is good enough, and then the time, which is known.
  bool is_near(std::uint64_t ticks) const { return ticks - first_ < far_; }
  std::int64_t near_picoseconds(std::uint64_t ticks) const {  // REQUIRES: is_near(ticks)
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<Wide>((ticks - first_) * multiplier_) * factor_ >> 64);
  }

 private:
  Clock clock_;
  std::uint64_t first_;
  std::uint64_t multiplier_ = 0, factor_ = 0;
  std::uint64_t far_ = 0;  // ticks since the first, from which on the factor is not good enough
};

}  // namespace sightline::formats::neuron
