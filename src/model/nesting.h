// Nesting of the slices of one lane: the parent and depth of each slice, and the
// slices that truly overlap. A slice that overlaps another without being inside
// it goes to an overflow sub-lane; no slice is dropped, clipped or moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "model/tables.h"

namespace sightline::model {

// Takes slices one by one, by (start, -duration), and returns the place of each: its pile of slices (the first unless slices
// truly overlap), its depth, and its parent. A slice goes into the most recently opened slice that contains all of it, else
// onto the first pile without an open slice. A slice that starts where another ends is not inside it.
class Nester {
 public:
  struct Place {
    std::size_t pile;
    std::size_t depth;
    Row parent;  // the tag of the enclosing slice, or kNoRow
  };

  // `tag` identifies the slice. With n open slices, O(log n).
  Place add(Time start, Time end, Row tag) {
    if (piles_.size() > 1) return add_to_one_of(start, end, tag);
    std::vector<Open>& pile = piles_[0];
    while (!pile.empty() && pile.back().end <= start) pile.pop_back();
    if (!pile.empty() && pile.back().end < end) return add_to_one_of(start, end, tag);
    return put(0, {end, tag, opened_++});
  }

  std::size_t piles() const { return piles_.size(); }

 private:
  struct Open {
    Time end;
    Row tag;
    std::uint64_t order;  // of opening
  };

  // For many piles: the top slices of the piles, in the order in which they
  // were opened. It finds the last one that ends at `end` or later, in a tree
  // of the latest ends. A slice below another one in its pile is hidden.
  class Tops {
   public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    bool full() const { return used_ == leaves_; }
    void restart(std::size_t leaves);
    std::size_t add(std::size_t pile);  // its place. REQUIRES: !full()
    void show(std::size_t place, Time end) { set(place, end); }
    void hide(std::size_t place) { set(place, kHidden); }
    std::size_t last_pile(Time end) const;  // kNone when no slice ends that late

   private:
    static constexpr Time kHidden = std::numeric_limits<Time>::min();
    void set(std::size_t place, Time end);

    std::size_t leaves_ = 0, used_ = 0;
    std::vector<Time> latest_;        // a binary tree in an array: of node i, the nodes 2 i and 2 i + 1
    std::vector<std::size_t> piles_;  // by place
  };

  struct Ending {
    Time end;
    std::uint64_t order;
    std::size_t pile;
    bool operator<(const Ending& other) const { return end != other.end ? end > other.end : order < other.order; }
  };

  Place put(std::size_t pile, const Open& slice) {
    std::vector<Open>& open = piles_[pile];
    const Place place{pile, open.size(), open.empty() ? kNoRow : open.back().tag};
    open.push_back(slice);
    return place;
  }

  Place add_to_one_of(Time start, Time end, Row tag);
  std::size_t choose(Time end);
  std::size_t choose_of_few(Time end) const;
  void close_until(Time start);
  void index_all();

  std::vector<std::vector<Open>> piles_ = std::vector<std::vector<Open>>(1);  // open slices, outermost first
  std::uint64_t opened_ = 0;

  // For many piles: the place of each open slice in `tops_`.
  bool indexed_ = false;
  Tops tops_;
  std::vector<std::vector<std::size_t>> places_;  // by pile, as piles_
  std::priority_queue<Ending> endings_;           // of all open slices, the first to end first
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> unused_;  // piles with nothing open
};

struct Nesting {
  std::vector<std::uint32_t> sublane;  // empty when one lane suffices
  unsigned sublanes = 1;
};

// `start` and `duration` are sorted by (start, -duration). Fills parent[i] with `base` + the index of the enclosing
// slice (kNoRow: none) and depth[i]. A pile of Nester is a sub-lane.
Nesting nest(std::span<const Time> start, std::span<const Time> duration, Row base, std::span<Row> parent,
             std::span<std::uint16_t> depth);

// The order of rows by sub-lane, and in one sub-lane by row; empty when there is only one sub-lane.
std::vector<std::uint32_t> order_by_sublane(const Nesting& nesting);

// The order of rows by (start, -duration), equal rows by row; empty when they are already in this order.
// Natural merge sort: a trace is a few sorted runs one after the other.
std::vector<std::uint32_t> order_by_start(std::span<const Time> start, std::span<const Time> duration);

}  // namespace sightline::model
