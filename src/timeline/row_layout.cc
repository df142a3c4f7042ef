// RowLayout: a place for each depth of each pile.
#include "timeline/row_layout.h"

#include <algorithm>
#include <limits>

namespace sightline::timeline {

std::uint16_t RowLayout::place(Time start, Time end) {
  const Nester::Place at = nester_.add(start, end, kNoRow);
  if (at.pile >= places_.size()) places_.resize(at.pile + 1);
  std::vector<std::uint16_t>& of_pile = places_[at.pile];
  if (at.depth == of_pile.size()) {
    of_pile.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(used_++, std::numeric_limits<std::uint16_t>::max())));
  }
  return of_pile[at.depth];
}

std::vector<std::uint16_t> RowLayout::rows() const {
  std::vector<std::uint16_t> rows(std::min<std::size_t>(used_, std::size_t{1} << 16), 0);
  std::size_t row = 0;
  for (const std::vector<std::uint16_t>& of_pile : places_) {
    for (const std::uint16_t place : of_pile) rows[place] = static_cast<std::uint16_t>(std::min(row++, rows.size() - 1));
  }
  return rows;
}

}  // namespace sightline::timeline
