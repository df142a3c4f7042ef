// Slices that a rule of advice found, summed; the longest represents them.
#pragma once

#include <cstdint>

#include "model/profile.h"

namespace sightline::analyses {

struct FoundSlices {
  std::int64_t count = 0;
  Time time = 0;
  Row longest = kNoRow;

  void add(const Profile& profile, Row slice) {
    const Time duration = profile.slices.duration[slice];
    ++count;
    time += duration;
    if (longest == kNoRow || duration > profile.slices.duration[longest]) longest = slice;
  }
};

// Calls take(slice) for each of the kind.
template <typename Take>
void each_of_kind(const Profile& profile, SliceKind kind, Take&& take) {
  const SliceKind* const kinds = profile.slices.kind.data();
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    if (kinds[slice] == kind) take(slice);
  }
}

}  // namespace sightline::analyses
