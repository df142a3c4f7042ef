// RowLayout: one stack of open slices per pile.
#include "timeline/row_layout.h"

#include <algorithm>
#include <limits>

namespace sightline {

// The pile for a slice that ends at `end`; adds one when there is none.
std::size_t RowLayout::choose(Time end) {
  std::size_t chosen = piles_.size();
  std::size_t empty = piles_.size();
  for (std::size_t i = 0; i < piles_.size(); ++i) {
    const std::vector<Open>& open = piles_[i].open;
    if (open.empty()) {
      empty = std::min(empty, i);
    } else if (open.back().end >= end && (chosen == piles_.size() || open.back().order > piles_[chosen].open.back().order)) {
      chosen = i;
    }
  }
  if (chosen != piles_.size()) return chosen;
  if (empty == piles_.size()) piles_.emplace_back();
  return empty;
}

std::uint16_t RowLayout::place(Time start, Time end) {
  for (Pile& pile : piles_) {
    while (!pile.open.empty() && pile.open.back().end <= start) pile.open.pop_back();
  }
  const std::vector<Open>& first = piles_[0].open;
  Pile& pile = piles_[piles_.size() == 1 && (first.empty() || first.back().end >= end) ? 0 : choose(end)];
  const std::size_t depth = pile.open.size();
  if (depth == pile.places.size()) {
    pile.places.push_back(
        static_cast<std::uint16_t>(std::min<std::size_t>(places_++, std::numeric_limits<std::uint16_t>::max())));
  }
  pile.open.push_back({end, opened_++});
  return pile.places[depth];
}

std::vector<std::uint16_t> RowLayout::rows() const {
  std::vector<std::uint16_t> rows(std::min<std::size_t>(places_, std::size_t{1} << 16), 0);
  std::size_t row = 0;
  for (const Pile& pile : piles_) {
    for (const std::uint16_t place : pile.places) rows[place] = static_cast<std::uint16_t>(std::min(row++, rows.size() - 1));
  }
  return rows;
}

}  // namespace sightline
