// Interval algebra: linear two-pointer sweeps.
#include "model/interval.h"

#include <algorithm>

namespace sightline {

namespace {

// Adds an interval that starts no earlier than those before it.
inline void extend(IntervalSet& set, Interval next) {
  if (next.end <= next.start) return;
  if (!set.empty() && next.start <= set.back().end) {
    set.back().end = std::max(set.back().end, next.end);
  } else {
    set.push_back(next);
  }
}

}  // namespace

IntervalSet merge_sorted(const std::vector<Interval>& intervals) {
  IntervalSet merged;
  for (const Interval& next : intervals) extend(merged, next);
  return merged;
}

IntervalSet merge(std::vector<Interval> intervals) {
  const auto by_start = [](const Interval& a, const Interval& b) { return a.start < b.start; };
  if (!std::is_sorted(intervals.begin(), intervals.end(), by_start)) std::sort(intervals.begin(), intervals.end(), by_start);
  return merge_sorted(intervals);
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet both;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const Interval common{std::max(a[i].start, b[j].start), std::min(a[i].end, b[j].end)};
    if (common.start < common.end) both.push_back(common);
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return both;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet rest;
  std::size_t j = 0;
  for (Interval left : a) {
    while (j < b.size() && b[j].end <= left.start) ++j;
    for (std::size_t k = j; k < b.size() && b[k].start < left.end; ++k) {
      if (b[k].start > left.start) rest.push_back({left.start, b[k].start});
      left.start = std::max(left.start, b[k].end);
    }
    if (left.start < left.end) rest.push_back(left);
  }
  return rest;
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet all;
  all.reserve(a.size() + b.size());
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) extend(all, x->start <= y->start ? *x++ : *y++);
  while (x != a.end()) extend(all, *x++);
  while (y != b.end()) extend(all, *y++);
  return all;
}

Time total_length(const IntervalSet& set) {
  Time sum = 0;
  for (const Interval& interval : set) sum += interval.length();
  return sum;
}

Time length_within(const IntervalSet& set, Interval window) {
  auto at = std::partition_point(set.begin(), set.end(), [&](const Interval& i) { return i.end <= window.start; });
  Time sum = 0;
  for (; at != set.end() && at->start < window.end; ++at) {
    sum += std::min(at->end, window.end) - std::max(at->start, window.start);
  }
  return sum;
}

}  // namespace sightline
