// Interval algebra: linear two-pointer sweeps.
#include "model/interval.h"

#include <algorithm>

namespace sightline {

IntervalSet merge_sorted(const std::vector<Interval>& intervals) {
  IntervalSet merged;
  for (const Interval& next : intervals) {
    if (next.end <= next.start) continue;
    if (!merged.empty() && next.start <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, next.end);
    } else {
      merged.push_back(next);
    }
  }
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
  std::vector<Interval> all(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(),
             [](const Interval& x, const Interval& y) { return x.start < y.start; });
  return merge_sorted(all);
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
