// Percentiles by nearest rank, which are always one of the values; quantiles and medians, which are between two of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace sightline::analyses {

// The smallest of the values that at least the share `part` of them do not exceed; NaN without known values.
inline double percentile(std::vector<double> values, double part) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return kUnknownNumber;
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size() - 1, rank == 0 ? 0 : rank - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Between the two values around the place q * (number - 1). REQUIRES: values are sorted, known, and at least one.
inline double quantile(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Of an even number of values, the mean of the middle two; NaN without known values.
inline double median_of(std::span<const double> of) {
  std::vector<double> values(of.begin(), of.end());
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return kUnknownNumber;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace sightline::analyses
