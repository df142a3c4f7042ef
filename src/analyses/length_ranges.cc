// The words of the ranges.
#include "analyses/length_ranges.h"

#include <string>

namespace sightline::analyses {

Message length_range_words(std::size_t range) {
  constexpr Time kMicrosecond = 1'000, kMillisecond = 1'000'000;
  const auto words = [](Time time) {
    return time < kMillisecond ? std::to_string(time / kMicrosecond) + " \u00b5s" : std::to_string(time / kMillisecond) + " ms";
  };
  const Time from = kLengthsFrom[range];
  if (range == 0) return say("under {}", words(kLengthsFrom[1]));
  if (range + 1 == kLengthRanges) return say("{} and more", words(from));
  return say("{} to {}", words(from), words(kLengthsFrom[range + 1]));
}

}  // namespace sightline::analyses
