// match_flows: the slice of each end on all cores, then a sort by id, which most files are in already.
#include "formats/trace_events/flow_matching.h"

#include <algorithm>
#include <cstdlib>

#include "base/parallel.h"
#include "formats/trace_events/near_search.h"

namespace sightline::formats::trace_events {

namespace {

struct FlowEnd {
  std::int64_t id;
  Row slice;
  FlowChannel channel;
  bool begins;
};

bool before(const FlowEnd& a, const FlowEnd& b) { return a.channel != b.channel ? a.channel < b.channel : a.id < b.id; }

// Finds slices by their start; each search begins where the last one on the lane ended.
class SliceFinder {
 public:
  explicit SliceFinder(const Profile& profile)
      : profile_(profile), near_(profile.lanes.first.begin(), profile.lanes.first.end()) {}

  // The last slice of a lane, or of one that relieves it, to end at `time`, give or take what a decimal of the writer rounds;
  // kNoRow: there is no such slice. Annotations do not count.
  Row ending_at(Row main, Time time) {
    constexpr Time kRounding = 2;  // ns
    const Lanes& lanes = profile_.lanes;
    const Time* starts = profile_.slices.start.data();
    for (Row lane = main; lane < lanes.rows() && (lane == main || lanes.overflow_of[lane] == main); ++lane) {
      const Time* first = starts + lanes.first[lane];
      const Time* at = partition_point_near(first, starts + lanes.last[lane], starts + near_[lane],
                                            [&](Time start) { return start <= time + kRounding; });
      near_[lane] = static_cast<Row>(at - starts);
      // What ends at `time` and what began after it: a slice or two, and the annotations around them.
      for (int steps = 0; at != first && steps < 8; --at, ++steps) {
        const auto row = static_cast<Row>(at - 1 - starts);
        if (profile_.slices.kind[row] == SliceKind::device_annotation) continue;
        if (std::abs(profile_.end_of(row) - time) <= kRounding) return row;
      }
    }
    return kNoRow;
  }

  // The slice that starts at `time` on a lane or on one that relieves it, innermost; kNoRow when there is none. Python frames
  // carry no flows.
  Row starting_at(Row main, Time time) {
    const Lanes& lanes = profile_.lanes;
    const Time* starts = profile_.slices.start.data();
    for (Row lane = main; lane < lanes.rows() && (lane == main || lanes.overflow_of[lane] == main); ++lane) {
      const Time* first = starts + lanes.first[lane];
      const Time* at =
          partition_point_near(first, starts + lanes.last[lane], starts + near_[lane], [&](Time start) { return start <= time; });
      near_[lane] = static_cast<Row>(at - starts);
      for (; at != first && *(at - 1) == time; --at) {
        const auto row = static_cast<Row>(at - 1 - starts);
        const SliceKind kind = profile_.slices.kind[row];
        if (kind != SliceKind::python && kind != SliceKind::module) return row;
      }
    }
    return kNoRow;
  }

 private:
  const Profile& profile_;
  std::vector<Row> near_;  // by lane
};

std::vector<FlowEnd> placed_ends(ParsedEvents& parsed, const SliceLayout& layout, Time origin, const Profile& profile,
                                 unsigned threads) {
  const std::size_t batches = parsed.batches.size();
  std::vector<std::size_t> first(batches + 1, 0);
  for (std::size_t b = 0; b < batches; ++b) first[b + 1] = first[b] + parsed.batches[b].flow_ends.size();
  std::vector<FlowEnd> ends(first[batches]);
  const std::size_t groups = std::min<std::size_t>(batches, threads);
  parallel_for(groups, threads, [&](std::size_t g) {
    SliceFinder slices(profile);
    for (std::size_t b = g * batches / groups; b < (g + 1) * batches / groups; ++b) {
      EventBatch& batch = parsed.batches[b];
      std::size_t at = first[b];
      for (const RawFlowEnd& end : batch.flow_ends) {
        const Row lane = layout.lane(batch.worker, end.track);
        const bool at_end = end.channel == FlowChannel::graph_node && end.begins;
        const Row slice = at_end ? slices.ending_at(lane, end.time - origin) : slices.starting_at(lane, end.time - origin);
        ends[at++] = {end.id, slice, end.channel, end.begins};
      }
      batch.flow_ends = {};
    }
  });
  if (!std::is_sorted(ends.begin(), ends.end(), before)) std::stable_sort(ends.begin(), ends.end(), before);
  return ends;
}

}  // namespace

std::vector<MatchedFlow> match_flows(ParsedEvents& parsed, const SliceLayout& layout, Time origin, const Profile& profile,
                                     unsigned threads) {
  const std::vector<FlowEnd> ends = placed_ends(parsed, layout, origin, profile, threads);
  std::vector<MatchedFlow> flows;
  for (std::size_t i = 0, next = 0; i < ends.size(); i = next) {
    const FlowChannel channel = ends[i].channel;
    Row from = kNoRow;
    for (next = i; next < ends.size() && !before(ends[i], ends[next]); ++next) {
      if (ends[next].begins) from = ends[next].slice;
    }
    std::size_t first = i;
    for (std::size_t k = i; k < next && channel == FlowChannel::forward_backward; ++k) first = ends[k].begins ? first : k;
    for (std::size_t k = first; k < next; ++k) {
      if (ends[k].begins || ends[k].slice == kNoRow || from == kNoRow) continue;
      flows.push_back({channel, from, ends[k].slice});
    }
  }
  return flows;
}

}  // namespace sightline::formats::trace_events
