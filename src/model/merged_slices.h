// Slices of several lanes in one order: a merge of runs that are sorted each.
#pragma once

#include <algorithm>
#include <vector>

#include "model/profile.h"

namespace sightline::model {

struct SliceRun {
  Row next;
  Row last;
};

// Calls visit(slice) for all slices of the runs in order of (start, -duration, row). Each run is sorted so, as the slices of a
// lane are.
template <typename Visit>
void for_each_merged(const Profile& p, std::vector<SliceRun> runs, Visit&& visit) {
  const auto before = [&](Row a, Row b) {
    if (p.slices.start[a] != p.slices.start[b]) return p.slices.start[a] < p.slices.start[b];
    if (p.slices.duration[a] != p.slices.duration[b]) return p.slices.duration[a] > p.slices.duration[b];
    return a < b;
  };
  const auto later = [&](const SliceRun& a, const SliceRun& b) { return before(b.next, a.next); };
  std::erase_if(runs, [](const SliceRun& run) { return run.next >= run.last; });
  std::make_heap(runs.begin(), runs.end(), later);  // the next slice first
  while (!runs.empty()) {
    std::pop_heap(runs.begin(), runs.end(), later);
    SliceRun run = runs.back();
    runs.pop_back();
    do {
      visit(run.next++);
    } while (run.next != run.last && (runs.empty() || before(run.next, runs.front().next)));
    if (run.next == run.last) continue;
    runs.push_back(run);
    std::push_heap(runs.begin(), runs.end(), later);
  }
}

}  // namespace sightline::model
