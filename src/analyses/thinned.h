// Thinning of step curves, so that a chart gets as many rows as it can take and no peak is lost.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/tables.h"

namespace sightline::analyses {

inline constexpr std::size_t kMostCurveRows = 9'000;  // a chart takes all its rows; more would be paged

// Which rows of curves with common times to keep, in order: all when there are at most `most`, else of each stretch of equal
// time the first, the last, and those with the least and the most of each series; an unknown value is the least. `time` is
// sorted, each series as long. At most `most` rows, as long as that is four or more per series.
std::vector<std::size_t> thinned_rows(std::span<const Time> time, const std::vector<std::span<const std::int64_t>>& series,
                                      std::size_t most = kMostCurveRows);

}  // namespace sightline::analyses
