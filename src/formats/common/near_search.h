// Repeated searches of a sorted list at places near one another, as the events of one lane are.
#pragma once

#include <algorithm>

namespace sightline::formats {

// As std::partition_point(first, last, is_before), in steps that double from `near` on: a lookup costs the logarithm of the
// distance between `near` and the answer. REQUIRES: first <= near <= last.
template <typename T, typename IsBefore>
const T* partition_point_near(const T* first, const T* last, const T* near, IsBefore&& is_before) {
  std::ptrdiff_t step = 1;
  if (near != last && is_before(*near)) {
    const T* low = near + 1;  // everything before it is known to be before
    for (; last - low > step && is_before(low[step]); step *= 2) low += step + 1;
    return std::partition_point(low, last - low > step ? low + step : last, is_before);
  }
  const T* high = near;  // everything from here on is not before
  for (; high - first > step && !is_before(high[-step]); step *= 2) high -= step;
  return std::partition_point(high - first > step ? high - step : first, high, is_before);
}

}  // namespace sightline::formats
