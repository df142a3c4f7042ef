// Interval algebra: linear two-pointer sweeps.
#include "model/interval.h"

#include <algorithm>

namespace sightline::model {

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

IntervalSet unite_all(std::vector<IntervalSet> sets) {
  if (sets.empty()) return {};
  while (sets.size() > 1) {
    std::vector<IntervalSet> halved;
    for (std::size_t i = 0; i + 1 < sets.size(); i += 2) halved.push_back(unite(sets[i], sets[i + 1]));
    if (sets.size() % 2 == 1) halved.push_back(std::move(sets.back()));
    sets = std::move(halved);
  }
  return std::move(sets.front());
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

}  // namespace sightline::model
