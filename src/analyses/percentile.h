// Percentiles of lengths, by nearest rank: always one of the values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sightline::analyses {

// The smallest of the values that at least the share `part` of them do not exceed; NaN without known values.
inline double percentile(std::vector<double> values, double part) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return std::nan("");
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size() - 1, rank == 0 ? 0 : rank - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace sightline::analyses
