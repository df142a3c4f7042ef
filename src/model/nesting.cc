// Nester: one stack of open slices per pile. order_by_start: merges of ascending runs of row numbers.
#include "model/nesting.h"

#include <algorithm>
#include <numeric>

namespace sightline {

namespace {

// Two sorted runs become one, equal rows in their order. Only where they overlap does anything move: an event that is written
// when it ends lies just behind those inside it.
template <typename Before>
void merge_runs(std::uint32_t* first, std::uint32_t* middle, std::uint32_t* last, Before&& before) {
  first = std::upper_bound(first, middle, *middle, before);
  if (first != middle) std::inplace_merge(first, middle, std::lower_bound(middle, last, middle[-1], before), before);
}

}  // namespace

std::size_t Nester::choose(Time end) {
  std::size_t chosen = piles_.size();
  std::size_t empty = piles_.size();
  for (std::size_t i = 0; i < piles_.size(); ++i) {
    const std::vector<Open>& pile = piles_[i];
    if (pile.empty()) {
      empty = std::min(empty, i);
    } else if (pile.back().end >= end && (chosen == piles_.size() || pile.back().order > piles_[chosen].back().order)) {
      chosen = i;
    }
  }
  if (chosen != piles_.size()) return chosen;
  if (empty == piles_.size()) piles_.emplace_back();
  return empty;
}

Nesting nest(std::span<const Time> start, std::span<const Time> duration, Row base, std::span<Row> parent,
             std::span<std::uint16_t> depth) {
  Nesting result;
  Nester nester;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Nester::Place place = nester.add(start[i], start[i] + duration[i], base + static_cast<Row>(i));
    parent[i] = place.parent;
    depth[i] = static_cast<std::uint16_t>(std::min<std::size_t>(place.depth, 65535));
    if (place.pile != 0 && result.sublane.empty()) result.sublane.resize(start.size(), 0);
    if (place.pile != 0) result.sublane[i] = static_cast<std::uint16_t>(std::min<std::size_t>(place.pile, 65535));
  }
  result.sublanes = static_cast<unsigned>(nester.piles());
  return result;
}

std::vector<std::uint32_t> order_by_start(std::span<const Time> start, std::span<const Time> duration) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return start[a] != start[b] ? start[a] < start[b] : duration[a] > duration[b];
  };
  const auto n = static_cast<std::uint32_t>(start.size());
  std::vector<std::uint32_t> runs{0};
  for (std::uint32_t i = 1; i < n; ++i) {
    if (before(i, i - 1)) runs.push_back(i);
  }
  if (runs.size() <= 1) return {};
  runs.push_back(n);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  while (runs.size() > 2) {
    std::vector<std::uint32_t> next;
    for (std::size_t r = 0; r + 1 < runs.size(); r += 2) {
      next.push_back(runs[r]);
      if (r + 2 < runs.size()) merge_runs(order.data() + runs[r], order.data() + runs[r + 1], order.data() + runs[r + 2], before);
    }
    next.push_back(n);
    runs = std::move(next);
  }
  return order;
}

}  // namespace sightline
