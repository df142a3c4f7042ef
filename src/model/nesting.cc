// Nester: one stack of open slices per pile. order_by_start: merges of ascending runs.
#include "model/nesting.h"

#include <algorithm>

namespace sightline {

namespace {

struct Key {
  Time start;
  Time duration;
  std::uint32_t index;
};

bool before(const Key& a, const Key& b) { return a.start != b.start ? a.start < b.start : a.duration > b.duration; }

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
  const std::size_t n = start.size();
  std::vector<std::size_t> runs{0};
  for (std::size_t i = 1; i < n; ++i) {
    if (start[i] < start[i - 1] || (start[i] == start[i - 1] && duration[i] > duration[i - 1])) runs.push_back(i);
  }
  if (runs.size() <= 1) return {};
  runs.push_back(n);
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = {start[i], duration[i], static_cast<std::uint32_t>(i)};
  std::vector<Key> merged(n);
  while (runs.size() > 2) {
    std::vector<std::size_t> next;
    for (std::size_t r = 0; r + 1 < runs.size(); r += 2) {
      next.push_back(runs[r]);
      const auto a = keys.begin() + static_cast<std::ptrdiff_t>(runs[r]);
      const auto m = keys.begin() + static_cast<std::ptrdiff_t>(runs[r + 1]);
      const auto b = keys.begin() + static_cast<std::ptrdiff_t>(r + 2 < runs.size() ? runs[r + 2] : runs[r + 1]);
      std::merge(a, m, m, b, merged.begin() + static_cast<std::ptrdiff_t>(runs[r]), before);
    }
    next.push_back(n);
    runs = std::move(next);
    keys.swap(merged);
  }
  std::vector<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = keys[i].index;
  return order;
}

}  // namespace sightline
