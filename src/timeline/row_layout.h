// RowLayout: gives each slice of a drawn lane a row. Slices of one row do not overlap, what is inside a slice
// is below it, and only what truly overlaps goes to further rows at the bottom.
#pragma once

#include <cstdint>
#include <vector>

#include "model/nesting.h"

namespace sightline::timeline {

class RowLayout {
 public:
  // The place of the next slice, a number given in order of first use: rows()[place] is its row. Slices come by (start,
  // -duration) and nest as Nester has it. There are 65536 places at most; what overlaps deeper than that shares the last.
  std::uint16_t place(Time start, Time end);

  // The row of each place, when all slices have come: piles one below the other, outermost slices first.
  std::vector<std::uint16_t> rows() const;

 private:
  Nester nester_;
  std::vector<std::vector<std::uint16_t>> places_;  // by pile and depth
  std::size_t used_ = 0;
};

}  // namespace sightline::timeline
