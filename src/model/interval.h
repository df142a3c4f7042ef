// Interval algebra over sorted lists of disjoint half-open intervals in ns. Touching intervals are one.
#pragma once

#include <vector>

#include "model/tables.h"

namespace sightline::model {

struct Interval {
  Time start = 0;
  Time end = 0;
  Time length() const { return end - start; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Sorted, disjoint, none empty, none touching.
using IntervalSet = std::vector<Interval>;

// The union of any intervals, in any order; empty ones vanish.
IntervalSet merge(std::vector<Interval> intervals);

// The same for intervals that are already sorted by start: O(n), no copy.
IntervalSet merge_sorted(const std::vector<Interval>& intervals);

// Adds an interval that starts no earlier than those before it.
inline void extend(IntervalSet& set, Interval next) {
  if (next.end <= next.start) return;
  if (set.empty() || next.start > set.back().end) {
    set.push_back(next);
  } else if (next.end > set.back().end) {
    set.back().end = next.end;
  }
}

// Instants in both.
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);

// Instants in a and not in b.
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);

// Union of two sets.
IntervalSet unite(const IntervalSet& a, const IntervalSet& b);

// Union of any number of sets: pairs, then pairs of pairs, so each interval is moved only a few times.
IntervalSet unite_all(std::vector<IntervalSet> sets);

// Sum of the lengths.
Time total_length(const IntervalSet& set);

// Length of the part of `set` inside `window`. O(log n + hits).
Time length_within(const IntervalSet& set, Interval window);

}  // namespace sightline::model
