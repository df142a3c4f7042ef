// Nester: a stack of open slices per pile; for many piles, also a heap of their ends and a tree of the top slices.
// order_by_start: merges of ascending runs of row numbers.
#include "model/nesting.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/sort.h"

namespace sightline::model {

namespace {

constexpr std::size_t kFewPiles = 8;  // up to here, a linear search is faster than the tree

// Two sorted runs become one, equal rows in their order. Only where they overlap does anything move: an event that is written
// when it ends lies just behind those inside it.
template <typename Before>
void merge_runs(std::uint32_t* first, std::uint32_t* middle, std::uint32_t* last, Before&& before) {
  first = std::upper_bound(first, middle, *middle, before);
  if (first != middle) std::inplace_merge(first, middle, std::lower_bound(middle, last, middle[-1], before), before);
}

}  // namespace

// ---- many piles ----

void Nester::Tops::restart(std::size_t leaves) {
  leaves_ = std::bit_ceil(leaves);
  used_ = 0;
  latest_.assign(2 * leaves_, kHidden);
  piles_.assign(leaves_, 0);
}

std::size_t Nester::Tops::add(std::size_t pile) {
  piles_[used_] = pile;
  return used_++;
}

void Nester::Tops::set(std::size_t place, Time end) {
  std::size_t node = leaves_ + place;
  latest_[node] = end;
  for (node /= 2; node > 0; node /= 2) latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
}

std::size_t Nester::Tops::last_pile(Time end) const {
  if (latest_[1] < end) return kNone;
  std::size_t node = 1;
  while (node < leaves_) node = latest_[2 * node + 1] >= end ? 2 * node + 1 : 2 * node;
  return piles_[node - leaves_];
}

// All open slices, in the order in which they were opened; half of the places stay free.
void Nester::index_all() {
  struct Found {
    std::uint64_t order;
    std::size_t pile, height;
  };
  std::vector<Found> open;
  places_.resize(piles_.size());
  for (std::size_t pile = 0; pile < piles_.size(); ++pile) {
    places_[pile].resize(piles_[pile].size());
    for (std::size_t height = 0; height < piles_[pile].size(); ++height) {
      open.push_back({piles_[pile][height].order, pile, height});
    }
  }
  std::sort(open.begin(), open.end(), [](const Found& a, const Found& b) { return a.order < b.order; });
  tops_.restart(2 * open.size() + kFewPiles);
  for (const Found& found : open) {
    const std::size_t place = places_[found.pile][found.height] = tops_.add(found.pile);
    if (found.height + 1 == piles_[found.pile].size()) tops_.show(place, piles_[found.pile][found.height].end);
  }
  if (indexed_) return;
  indexed_ = true;
  for (const Found& found : open) endings_.push({piles_[found.pile][found.height].end, found.order, found.pile});
  for (std::size_t pile = 0; pile < piles_.size(); ++pile) {
    if (piles_[pile].empty()) unused_.push(pile);
  }
}

// Closes the slices that end by `start`. In one pile, the top slice ends first, or was opened last.
void Nester::close_until(Time start) {
  if (!indexed_) {
    for (auto& pile : piles_) {
      while (!pile.empty() && pile.back().end <= start) pile.pop_back();
    }
    return;
  }
  while (!endings_.empty() && endings_.top().end <= start) {
    const std::size_t pile = endings_.top().pile;
    endings_.pop();
    tops_.hide(places_[pile].back());
    places_[pile].pop_back();
    piles_[pile].pop_back();
    if (piles_[pile].empty()) {
      unused_.push(pile);
    } else {
      tops_.show(places_[pile].back(), piles_[pile].back().end);
    }
  }
}

std::size_t Nester::choose_of_few(Time end) const {
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
  return chosen != piles_.size() ? chosen : empty;
}

// The pile for a slice that ends at `end`; the number of piles means a new pile.
std::size_t Nester::choose(Time end) {
  if (!indexed_) return choose_of_few(end);
  if (const std::size_t pile = tops_.last_pile(end); pile != Tops::kNone) return pile;
  if (unused_.empty()) return piles_.size();
  const std::size_t pile = unused_.top();
  unused_.pop();
  return pile;
}

Nester::Place Nester::add_to_one_of(Time start, Time end, Row tag) {
  close_until(start);
  if (!indexed_ && piles_.size() > kFewPiles) index_all();
  const std::size_t pile = choose(end);
  if (pile == piles_.size()) piles_.emplace_back();
  const Open slice{end, tag, opened_++};
  if (!indexed_) return put(pile, slice);
  if (tops_.full()) index_all();
  places_.resize(piles_.size());
  if (!places_[pile].empty()) tops_.hide(places_[pile].back());
  places_[pile].push_back(tops_.add(pile));
  tops_.show(places_[pile].back(), end);
  endings_.push({end, slice.order, pile});
  return put(pile, slice);
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
    if (place.pile != 0) result.sublane[i] = static_cast<std::uint32_t>(place.pile);
  }
  result.sublanes = static_cast<unsigned>(nester.piles());
  return result;
}

std::vector<std::uint32_t> order_by_sublane(const Nesting& nesting) {
  std::vector<std::uint32_t> order(nesting.sublane.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  sort_up(order, [&](auto each) { return nesting.sublane[each]; });
  return order;
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

}  // namespace sightline::model
