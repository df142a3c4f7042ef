// Interval algebra against a slow oracle: a set is the list of the unit instants it covers.
#include "model/interval.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace sightline::model {

namespace {

using Instants = std::set<Time>;  // t means [t, t + 1)

Instants instants_of(const std::vector<Interval>& intervals) {
  Instants instants;
  for (const Interval& interval : intervals) {
    for (Time t = interval.start; t < interval.end; ++t) instants.insert(t);
  }
  return instants;
}

// The one sorted, disjoint, non-touching way to write down some instants.
IntervalSet set_of(const Instants& instants) {
  IntervalSet set;
  for (const Time t : instants) {
    if (!set.empty() && set.back().end == t) {
      ++set.back().end;
    } else {
      set.push_back({t, t + 1});
    }
  }
  return set;
}

std::vector<Interval> random_intervals(std::mt19937& random) {
  std::vector<Interval> intervals(random() % 12);
  for (Interval& interval : intervals) {
    interval.start = static_cast<Time>(random() % 60);
    interval.end = interval.start + static_cast<Time>(random() % 9);  // some are empty
  }
  return intervals;
}

TEST(Interval, TouchingIntervalsFuseAndEmptyOnesVanish) {
  EXPECT_EQ(merge({{5, 7}, {0, 2}, {2, 4}, {9, 9}}), (IntervalSet{{0, 4}, {5, 7}}));
  EXPECT_EQ(merge({}), IntervalSet{});
}

TEST(Interval, IntersectionOfTouchingSetsIsEmpty) { EXPECT_EQ(intersect({{0, 5}}, {{5, 9}}), IntervalSet{}); }

TEST(Interval, SubtractLeavesTheInstantsThatAreNotCovered) {
  EXPECT_EQ(subtract({{0, 10}}, {{2, 3}, {5, 12}}), (IntervalSet{{0, 2}, {3, 5}}));
  EXPECT_EQ(subtract({{0, 4}, {6, 8}}, {{0, 8}}), IntervalSet{});
}

TEST(Interval, LengthWithinClipsAtBothEnds) {
  // [0,4) and [6,10) within [2,7): 2 + 1.
  EXPECT_EQ(length_within({{0, 4}, {6, 10}}, {2, 7}), 3);
  EXPECT_EQ(length_within({{0, 4}}, {4, 9}), 0);
}

TEST(Interval, AgreesWithTheSlowOracle) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Interval> first = random_intervals(random);
    const std::vector<Interval> second = random_intervals(random);
    const Instants a = instants_of(first);
    const Instants b = instants_of(second);
    const IntervalSet merged_a = merge(first);
    const IntervalSet merged_b = merge(second);
    ASSERT_EQ(merged_a, set_of(a));
    ASSERT_EQ(total_length(merged_a), static_cast<Time>(a.size()));

    Instants both;
    Instants rest;
    Instants either = b;
    const Time from = static_cast<Time>(random() % 60);
    const Interval window{from, from + static_cast<Time>(random() % 30)};
    Time within = 0;
    for (const Time t : a) {
      (b.contains(t) ? both : rest).insert(t);
      either.insert(t);
      if (t >= window.start && t < window.end) ++within;
    }
    ASSERT_EQ(intersect(merged_a, merged_b), set_of(both));
    ASSERT_EQ(subtract(merged_a, merged_b), set_of(rest));
    ASSERT_EQ(unite(merged_a, merged_b), set_of(either));
    ASSERT_EQ(length_within(merged_a, window), within);
  }
}

}  // namespace
}  // namespace sightline::model
