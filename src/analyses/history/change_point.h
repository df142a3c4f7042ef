// Where a series of figures changed its level: Pettitt's test (A. N. Pettitt, "A Non-Parametric Approach to the Change-Point
// Problem", Applied Statistics 28(2), 1979). For each split, U is the Mann-Whitney statistic of the values before and after it;
// the change is at the largest |U|. Its p-value is the share of random orders of the same values with a |U| at least as large, so
// it holds for few values and for equal ones. Only ranks count, so one outlier is no change.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/layers.h"

namespace sightline::analyses {

inline constexpr double kSignificant = 0.05;  // a p-value up to this is a change

struct ChangePoint {
  std::size_t first = 0;         // the first value after the change
  double before = 0, after = 0;  // medians
  double p = 1;

  bool significant() const { return p <= kSignificant; }
  double size() const { return (after - before) / before; }  // as a share; infinite from 0
};

// The most likely change. Unknown (NaN) values are left out. Nullopt: fewer than two known values, or all are equal.
std::optional<ChangePoint> change_point(std::span<const double> values);

}  // namespace sightline::analyses
