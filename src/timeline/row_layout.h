// RowLayout: gives each slice of a drawn lane a row to stand in. Slices of one row do not overlap, what lies inside a slice
// stands below it, and only what truly overlaps goes to further rows at the bottom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/tables.h"

namespace sightline {

class RowLayout {
 public:
  // The place of the next slice, a number given in order of first use: rows()[place] is its row. Slices come by (start,
  // -duration). The slice goes one below the most recently opened slice that contains it whole, else to the top of the first pile
  // of rows with nothing open. There are 65536 places at most; what overlaps deeper than that shares the last.
  std::uint16_t place(Time start, Time end);

  // The row of each place, when all slices have come: piles one below the other, outermost slices first.
  std::vector<std::uint16_t> rows() const;

 private:
  struct Open {
    Time end;
    std::uint64_t order;  // of opening
  };
  struct Pile {
    std::vector<Open> open;             // outermost first
    std::vector<std::uint16_t> places;  // by depth
  };

  std::size_t choose(Time end);

  std::vector<Pile> piles_ = std::vector<Pile>(1);
  std::uint64_t opened_ = 0;
  std::size_t places_ = 0;
};

}  // namespace sightline
