// Ranges of lengths for histograms: they grow by 1, 2, 5, 10, as on a logarithmic axis.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/message.h"
#include "model/tables.h"

namespace sightline::analyses {

// Where the ranges begin, in ns; the last has no end.
inline constexpr Time kLengthsFrom[] = {0,       1'000,   2'000,   5'000,     10'000,    20'000,    50'000,
                                        100'000, 200'000, 500'000, 1'000'000, 2'000'000, 5'000'000, 10'000'000};
inline constexpr std::size_t kLengthRanges = std::size(kLengthsFrom);

// The number of the range; that of a negative length is 0.
inline std::size_t length_range(Time length) {
  const auto* after = std::upper_bound(std::begin(kLengthsFrom), std::end(kLengthsFrom), length);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after - std::begin(kLengthsFrom)) - 1);
}

// "1 µs to 2 µs"
Message length_range_words(std::size_t range);

// From the first row that is used to the last.
template <typename Row, typename IsUsed>
std::vector<Row> within_used(std::vector<Row> rows, IsUsed is_used) {
  const auto first = std::find_if(rows.begin(), rows.end(), is_used);
  const auto last = std::find_if(rows.rbegin(), rows.rend(), is_used).base();
  return first == rows.end() ? std::vector<Row>{} : std::vector<Row>(first, last);
}

}  // namespace sightline::analyses
