// nest against hand-worked lanes; order_by_start against a plain sort.
#include "model/nesting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace sightline::model {

namespace {

struct Nested {
  Nesting nesting;
  std::vector<Row> parent;
  std::vector<std::uint16_t> depth;
};

Nested nest_all(const std::vector<Time>& start, const std::vector<Time>& duration) {
  Nested n{{}, std::vector<Row>(start.size()), std::vector<std::uint16_t>(start.size())};
  n.nesting = nest(start, duration, 0, n.parent, n.depth);
  return n;
}

TEST(Nesting, ParentsAndDepths) {
  // 0: [0,100)  1: [10,50)  2: [10,20)  3: [50,60)  4: [100,110)
  const Nested n = nest_all({0, 10, 10, 50, 100}, {100, 40, 10, 10, 10});
  EXPECT_EQ(n.parent, (std::vector<Row>{kNoRow, 0, 1, 0, kNoRow}));
  EXPECT_EQ(n.depth, (std::vector<std::uint16_t>{0, 1, 2, 1, 0}));
  EXPECT_TRUE(n.nesting.sublane.empty());
}

TEST(Nesting, TrueOverlapGoesToAnOverflowLaneAndKeepsItsChildren) {
  // 0: [0,100)  1: [90,120) overlaps 0  2: [95,99) is inside both: the most recently opened takes it
  // 3: [110,115) is inside 1            4: [130,140) is on the first lane again
  const Nested n = nest_all({0, 90, 95, 110, 130}, {100, 30, 4, 5, 10});
  EXPECT_EQ(n.nesting.sublane, (std::vector<std::uint32_t>{0, 1, 1, 1, 0}));
  EXPECT_EQ(n.parent, (std::vector<Row>{kNoRow, kNoRow, 1, 1, kNoRow}));
  EXPECT_EQ(n.nesting.sublanes, 2u);
}

TEST(Nesting, TouchingIsNotInside) {
  const Nested n = nest_all({0, 10}, {10, 10});
  EXPECT_EQ(n.parent, (std::vector<Row>{kNoRow, kNoRow}));
  EXPECT_EQ(n.nesting.sublanes, 1u);
}

// The same as Nester, by a search through every pile for each slice.
class PlainNester {
 public:
  Nester::Place add(Time start, Time end, Row tag) {
    std::size_t chosen = kNone, empty = kNone;
    for (std::size_t i = 0; i < piles_.size(); ++i) {
      std::vector<Open>& pile = piles_[i];
      while (!pile.empty() && pile.back().end <= start) pile.pop_back();
      if (pile.empty()) {
        empty = std::min(empty, i);
      } else if (pile.back().end >= end && (chosen == kNone || pile.back().order > piles_[chosen].back().order)) {
        chosen = i;
      }
    }
    if (chosen == kNone) chosen = std::min(empty, piles_.size());
    if (chosen == piles_.size()) piles_.emplace_back();
    std::vector<Open>& pile = piles_[chosen];
    const Nester::Place place{chosen, pile.size(), pile.empty() ? kNoRow : pile.back().tag};
    pile.push_back({end, tag, opened_++});
    return place;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Open {
    Time end;
    Row tag;
    int order;
  };
  std::vector<std::vector<Open>> piles_;
  int opened_ = 0;
};

TEST(Nesting, PlacesEqualThoseOfASearchThroughEveryPile) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const auto longest = static_cast<Time>(1 + random() % 200), apart = static_cast<Time>(1 + random() % 4);
    std::vector<std::pair<Time, Time>> slices;  // start, -duration
    for (std::size_t i = random() % 600; i > 0; --i) {
      slices.emplace_back(static_cast<Time>(random() % 300) / apart, -static_cast<Time>(random()) % longest);
    }
    std::sort(slices.begin(), slices.end());
    Nester nester;
    PlainNester plain;
    for (Row i = 0; i < slices.size(); ++i) {
      const Time start = slices[i].first, end = start - slices[i].second;
      const Nester::Place place = nester.add(start, end, i), expected = plain.add(start, end, i);
      ASSERT_EQ(place.pile, expected.pile) << round << " " << i;
      ASSERT_EQ(place.depth, expected.depth) << round << " " << i;
      ASSERT_EQ(place.parent, expected.parent) << round << " " << i;
    }
  }
}

// Each overlaps all others: a search through every pile for each slice would take 20,000,000,000 steps.
TEST(Nesting, AsManyPilesAsSlicesDoNotTakeQuadraticTime) {
  constexpr std::size_t kSlices = 200'000;
  std::vector<Time> start(kSlices), duration(kSlices, 1'000'000);
  std::iota(start.begin(), start.end(), 0);
  const Nested n = nest_all(start, duration);
  EXPECT_EQ(n.nesting.sublanes, kSlices);
  EXPECT_EQ(n.nesting.sublane.back(), kSlices - 1);
  EXPECT_EQ(n.parent.back(), kNoRow);
}

TEST(Nesting, OrderEqualsAStableSort) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = random() % 60;
    std::vector<Time> start(n);
    std::vector<Time> duration(n);
    for (std::size_t i = 0; i < n; ++i) {
      start[i] = static_cast<Time>(random() % 20);
      duration[i] = static_cast<Time>(random() % 5);
    }
    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0u);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](auto a, auto b) { return start[a] != start[b] ? start[a] < start[b] : duration[a] > duration[b]; });
    std::vector<std::uint32_t> order = order_by_start(start, duration);
    if (order.empty()) {
      order.resize(n);
      std::iota(order.begin(), order.end(), 0u);
    }
    EXPECT_EQ(order, expected);
  }
}

}  // namespace
}  // namespace sightline::model
