// Profiles of random slices on lanes, for tests that compare something fast with its plain definition.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "model/nesting.h"
#include "model/profile.h"

namespace sightline::tests {

// Two host threads, whose slices are of `host_kinds`, and a stream of kernels: up to `most` slices each between 0 and 160 ns,
// named a, b or c. Those that truly overlap are spread over overflow lanes, as a reader does it.
inline std::shared_ptr<Profile> random_lanes(std::mt19937_64& random, std::size_t most, std::span<const SliceKind> host_kinds) {
  auto profile = std::make_shared<Profile>();
  Lanes& lanes = profile->lanes;
  Slices& s = profile->slices;
  const StringId names[] = {profile->strings.intern("a"), profile->strings.intern("b"), profile->strings.intern("c")};
  for (int track = 0; track < 3; ++track) {
    std::vector<std::pair<Time, Time>> spans(random() % most);  // start, -duration
    for (auto& [start, duration] : spans) {
      start = static_cast<Time>(random() % 100);
      duration = -static_cast<Time>(random() % (random() % 4 == 0 ? 60 : 6));
    }
    std::sort(spans.begin(), spans.end());
    std::vector<Time> start;
    std::vector<Time> duration;
    for (const auto& span : spans) {
      start.push_back(span.first);
      duration.push_back(-span.second);
    }
    std::vector<Row> parent(spans.size());
    std::vector<std::uint16_t> depth(spans.size());
    const Nesting nesting = nest(start, duration, 0, parent, depth);
    const auto main = static_cast<Row>(lanes.rows());
    std::vector<Row> row_of(spans.size());
    for (unsigned sublane = 0; sublane < nesting.sublanes; ++sublane) {
      lanes.kind.push_back(track == 2 ? LaneKind::device_stream : LaneKind::host_thread);
      lanes.overflow_of.push_back(sublane == 0 ? kNoRow : main);
      lanes.first.push_back(static_cast<Row>(s.rows()));
      for (std::size_t i = 0; i < spans.size(); ++i) {
        if ((nesting.sublane.empty() ? 0u : nesting.sublane[i]) != sublane) continue;
        row_of[i] = static_cast<Row>(s.rows());
        s.start.push_back(start[i]);
        s.duration.push_back(duration[i]);
        s.lane.push_back(static_cast<Row>(lanes.rows() - 1));
        s.parent.push_back(parent[i] == kNoRow ? kNoRow : row_of[parent[i]]);
        s.name.push_back(names[random() % std::size(names)]);
        s.kind.push_back(track == 2 ? SliceKind::kernel : host_kinds[random() % host_kinds.size()]);
      }
      lanes.last.push_back(static_cast<Row>(s.rows()));
    }
  }
  return profile;
}

}  // namespace sightline::tests
