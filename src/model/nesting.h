// Nesting of the slices of one lane: who encloses whom, how deep, and which slices truly overlap. A slice that
// overlaps another without being inside it goes to an overflow sub-lane; nothing is dropped, clipped or moved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tables.h"

namespace sightline {

// Takes slices one by one, by (start, -duration), and says where each nests: in which pile of slices (the first unless slices
// truly overlap), how deep, and in which slice. A slice goes into the most recently opened slice that contains it whole, else
// onto the first pile with nothing open. A slice that starts where another ends is not inside it.
class Nester {
 public:
  struct Place {
    std::size_t pile;
    std::size_t depth;
    Row parent;  // the tag of the slice around it, kNoRow: none
  };

  // `tag` is what the slice is known by.
  Place add(Time start, Time end, Row tag) {
    for (auto& pile : piles_) {
      while (!pile.empty() && pile.back().end <= start) pile.pop_back();
    }
    const bool simple = piles_.size() == 1 && (piles_[0].empty() || piles_[0].back().end >= end);
    const std::size_t chosen = simple ? 0 : choose(end);
    std::vector<Open>& pile = piles_[chosen];
    const Place place{chosen, pile.size(), pile.empty() ? kNoRow : pile.back().tag};
    pile.push_back({end, tag, opened_++});
    return place;
  }

  std::size_t piles() const { return piles_.size(); }

 private:
  struct Open {
    Time end;
    Row tag;
    std::uint32_t order;  // of opening
  };

  // The pile for a slice that ends at `end`; adds one when there is none.
  std::size_t choose(Time end);

  std::vector<std::vector<Open>> piles_ = std::vector<std::vector<Open>>(1);  // open slices, outermost first
  std::uint32_t opened_ = 0;
};

struct Nesting {
  std::vector<std::uint16_t> sublane;  // empty when one lane suffices
  unsigned sublanes = 1;
};

// `start` and `duration` are sorted by (start, -duration). Fills parent[i] with `base` + the index of the enclosing
// slice (kNoRow: none) and depth[i]. A pile of Nester is a sub-lane.
Nesting nest(std::span<const Time> start, std::span<const Time> duration, Row base, std::span<Row> parent,
             std::span<std::uint16_t> depth);

// The order of rows by (start, -duration), equal rows in their present order; empty when they are in order already.
// Natural merge sort: traces are a few sorted runs one after the other.
std::vector<std::uint32_t> order_by_start(std::span<const Time> start, std::span<const Time> duration);

}  // namespace sightline
