// SliceLayout: counting sort by track, natural merge sort within a lane, nesting, overflow lanes.
#include "formats/trace_events/slice_layout.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

#include "base/memory.h"
#include "base/parallel.h"
#include "formats/common/decimal.h"
#include "formats/common/near_search.h"
#include "model/nesting.h"

namespace sightline::formats::trace_events {

// ---- slices ----

namespace {

StringId translate(const std::vector<StringId>& map, StringId id) { return map.empty() ? id : map[static_cast<std::size_t>(id)]; }

// Numbers in numeric order, then texts: "2" before "10" before "Spans".
std::tuple<int, std::int64_t, std::string_view> natural_key(std::string_view text) {
  const std::optional<std::int64_t> number = parse_integer(text);
  return number ? std::tuple{0, *number, text} : std::tuple{1, std::int64_t{0}, text};
}

// The slice kind by (category, name), computed once for each distinct pair.
class KindCache {
 public:
  explicit KindCache(const StringPool& strings) : strings_(strings) {}
  SliceKind get(Category category, StringId name) {
    std::vector<std::uint8_t>& known = known_[static_cast<std::size_t>(category)];
    if (known.empty()) known.resize(strings_.size(), kNotComputed);
    std::uint8_t& kind = known[static_cast<std::size_t>(name)];
    if (kind == kNotComputed) kind = static_cast<std::uint8_t>(slice_kind(category, strings_.view(name)));
    return static_cast<SliceKind>(kind);
  }

 private:
  static constexpr std::uint8_t kNotComputed = 255;
  const StringPool& strings_;
  std::array<std::vector<std::uint8_t>, 16> known_;
};

constexpr std::size_t kManyFreed = std::size_t{1} << 19;   // slices, of 33 bytes each
constexpr std::size_t kManySlices = std::size_t{1} << 16;  // fewer of a lane are moved faster than threads start

// column[first + i] = column[first + order[i]].
template <typename T>
void permute(Column<T>& column, Row first, std::span<const std::uint32_t> order) {
  std::vector<T> moved(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved[i] = column[first + order[i]];
  std::copy(moved.begin(), moved.end(), column.begin() + first);
}

// A slice before nesting, column by column; the columns of the longest lane are moved on all cores.
void permute_slices(Slices& s, Row first, std::span<const std::uint32_t> order, unsigned threads) {
  run_together({[&] { permute(s.start, first, order); }, [&] { permute(s.duration, first, order); },
                [&] { permute(s.source, first, order); },
                [&] {
                  permute(s.name, first, order);
                  permute(s.kind, first, order);
                }},
               threads);
}

// Pairs B with E events, in the order of the file within each track, and fills in durations.
void close_begun_slices(ParsedEvents& parsed, const std::vector<std::vector<std::uint32_t>>& track_map) {
  struct Begun {
    std::size_t batch;
    std::uint32_t index;
  };
  if (std::none_of(parsed.batches.begin(), parsed.batches.end(), [](const EventBatch& b) {
        return !b.ends.empty() ||
               std::find(b.slices.duration.begin(), b.slices.duration.end(), kStillOpen) != b.slices.duration.end();
      })) {
    return;
  }
  std::map<std::uint32_t, std::vector<Begun>> open;
  std::int64_t last_time = std::numeric_limits<std::int64_t>::min();
  for (std::size_t b = 0; b < parsed.batches.size(); ++b) {
    EventBatch& batch = parsed.batches[b];
    std::size_t e = 0;
    for (std::uint32_t i = 0; i <= batch.slices.size(); ++i) {
      for (; e < batch.ends.size() && batch.ends[e].before == i; ++e) {
        std::vector<Begun>& stack = open[track_map[batch.worker][batch.ends[e].track]];
        last_time = std::max(last_time, batch.ends[e].time);
        if (stack.empty()) {
          batch.problems[EventProblem::unmatched_end].add(kUnknown);
          continue;
        }
        RawSlices& slices = parsed.batches[stack.back().batch].slices;
        slices.duration[stack.back().index] = std::max<std::int64_t>(0, batch.ends[e].time - slices.start[stack.back().index]);
        stack.pop_back();
      }
      if (i == batch.slices.size()) break;
      last_time = std::max(last_time, batch.slices.start[i]);
      if (batch.slices.duration[i] == kStillOpen) open[track_map[batch.worker][batch.slices.track[i]]].push_back({b, i});
    }
  }
  for (const auto& [track, stack] : open) {
    for (const Begun& begun : stack) {
      EventBatch& batch = parsed.batches[begun.batch];
      batch.slices.duration[begun.index] = last_time - batch.slices.start[begun.index];
      batch.problems[EventProblem::unfinished_slice].add(batch.slices.source[begun.index]);
    }
  }
}

}  // namespace

SliceLayout::SliceLayout(ParsedEvents& parsed, const std::vector<std::vector<StringId>>& string_map, Time origin,
                         Profile& profile, unsigned threads) {
  merge_tracks(parsed, string_map, profile.strings);
  close_begun_slices(parsed, track_map_);
  place(parsed, string_map, origin, profile.strings, profile.slices, threads);
  sort_and_nest(profile, threads);
  add_lanes(profile);
}

// The order of lanes follows from the ids of tracks alone, so it does not depend on which thread saw which first.
void SliceLayout::merge_tracks(const ParsedEvents& parsed, const std::vector<std::vector<StringId>>& string_map,
                               const StringPool& strings) {
  std::vector<RawTrack> all;
  for (std::size_t w = 0; w < parsed.tracks.size(); ++w) {
    for (RawTrack track : parsed.tracks[w]) {
      track.pid = translate(string_map[w], track.pid);
      track.tid = translate(string_map[w], track.tid);
      all.push_back(track);
    }
  }
  auto key = [&](const RawTrack& t) {
    return std::tuple(t.counter, t.device, natural_key(strings.view(t.pid)), natural_key(strings.view(t.tid)));
  };
  tracks_ = all;
  std::sort(tracks_.begin(), tracks_.end(), [&](const RawTrack& a, const RawTrack& b) { return key(a) < key(b); });
  tracks_.erase(std::unique(tracks_.begin(), tracks_.end()), tracks_.end());
  std::size_t next = 0;
  for (const std::vector<RawTrack>& tracks : parsed.tracks) {
    std::vector<std::uint32_t> map;
    for (std::size_t i = 0; i < tracks.size(); ++i, ++next) {
      const auto at = std::lower_bound(tracks_.begin(), tracks_.end(), all[next],
                                       [&](const RawTrack& a, const RawTrack& b) { return key(a) < key(b); });
      map.push_back(static_cast<std::uint32_t>(at - tracks_.begin()));
    }
    track_map_.push_back(std::move(map));
  }
}

void SliceLayout::place(ParsedEvents& parsed, const std::vector<std::vector<StringId>>& string_map, Time origin,
                        const StringPool& strings, Slices& slices, unsigned threads) {
  const std::size_t batches = parsed.batches.size();
  const std::size_t groups = std::min<std::size_t>(batches, threads);
  auto group_begin = [&](std::size_t g) { return g * batches / std::max<std::size_t>(groups, 1); };
  std::vector<std::vector<Row>> cursor(groups, std::vector<Row>(tracks_.size(), 0));
  parallel_for(groups, threads, [&](std::size_t g) {
    for (std::size_t b = group_begin(g); b < group_begin(g + 1); ++b) {
      const std::vector<std::uint32_t>& map = track_map_[parsed.batches[b].worker];
      for (const std::uint32_t track : parsed.batches[b].slices.track) ++cursor[g][map[track]];
    }
  });
  first_.assign(tracks_.size() + 1, 0);
  Row rows = 0;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    first_[t] = rows;
    for (std::size_t g = 0; g < groups; ++g) {
      const Row count = cursor[g][t];
      cursor[g][t] = rows;
      rows += count;
    }
  }
  first_[tracks_.size()] = rows;
  run_together({[&] { slices.start.resize(rows); }, [&] { slices.duration.resize(rows); }, [&] { slices.source.resize(rows); },
                [&] { slices.name.resize(rows); }, [&] { slices.kind.resize(rows); }, [&] { slices.parent.resize(rows); },
                [&] { slices.depth.resize(rows); }, [&] { slices.lane.resize(rows); }},
               threads);
  placed_.resize(batches);
  parallel_for(groups, threads, [&](std::size_t g) {
    KindCache kinds(strings);
    std::size_t freed = 0;
    for (std::size_t b = group_begin(g); b < group_begin(g + 1); ++b) {
      EventBatch& batch = parsed.batches[b];
      RawSlices& raw = batch.slices;
      const std::vector<std::uint32_t>& map = track_map_[batch.worker];
      placed_[b].resize(raw.size());
      for (std::size_t i = 0; i < raw.size(); ++i) {
        const Row row = cursor[g][map[raw.track[i]]]++;
        const StringId name = translate(string_map[batch.worker], raw.name[i]);
        slices.start[row] = raw.start[i] - origin;
        slices.duration[row] = raw.duration[i];
        slices.source[row] = raw.source.empty() ? kUnknown : raw.source[i];  // rows of a database have no place in a text
        slices.name[row] = name;
        slices.kind[row] = kinds.get(raw.category[i], name);
        placed_[b][i] = row;
      }
      freed += raw.size();
      raw = RawSlices{};
      if (freed < kManyFreed) continue;
      return_freed_memory();  // else both the columns and their sources are in memory
      freed = 0;
    }
  });
}

void SliceLayout::sort_and_nest(Profile& profile, unsigned threads) {
  Slices& s = profile.slices;
  const std::size_t tracks = tracks_.size();
  sublane_ends_.resize(tracks);
  std::vector<std::vector<std::uint32_t>> orders(tracks);  // by track: the new order, if anything moved
  std::vector<std::size_t> by_size(tracks);
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::sort(by_size.begin(), by_size.end(),
            [&](std::size_t a, std::size_t b) { return first_[a + 1] - first_[a] > first_[b + 1] - first_[b]; });
  parallel_for(tracks, threads, [&](std::size_t k) {
    const std::size_t t = by_size[k];
    const Row first = first_[t];
    const std::size_t n = first_[t + 1] - first;
    orders[t] = order_by_start({s.start.data() + first, n}, {s.duration.data() + first, n});
    if (n < kManySlices && !orders[t].empty()) permute_slices(s, first, orders[t], 1);
  });
  for (std::size_t t = 0; t < tracks; ++t) {
    if (orders[t].size() >= kManySlices) permute_slices(s, first_[t], orders[t], threads);
  }
  parallel_for(tracks, threads, [&](std::size_t k) {
    const std::size_t t = by_size[k];
    const Row first = first_[t];
    const std::size_t n = first_[t + 1] - first;
    std::vector<std::uint32_t>& order = orders[t];
    const Nesting nesting = nest({s.start.data() + first, n}, {s.duration.data() + first, n}, first, {s.parent.data() + first, n},
                                 {s.depth.data() + first, n});
    if (nesting.sublane.empty()) {
      sublane_ends_[t] = {first_[t + 1]};
      return;
    }
    std::vector<std::uint32_t> spread = order_by_sublane(nesting);
    permute_slices(s, first, spread, 1);
    permute(s.parent, first, spread);
    permute(s.depth, first, spread);
    std::vector<Row> now(n);
    for (std::size_t i = 0; i < n; ++i) now[spread[i]] = first + static_cast<Row>(i);
    for (std::size_t i = 0; i < n; ++i) {
      Row& parent = s.parent[first + i];
      if (parent != kNoRow) parent = now[parent - first];
      if (i + 1 == n || nesting.sublane[spread[i]] != nesting.sublane[spread[i + 1]])
        sublane_ends_[t].push_back(first + static_cast<Row>(i) + 1);
    }
    if (order.empty()) {
      order = std::move(spread);
    } else {
      std::vector<std::uint32_t> both(n);
      for (std::size_t i = 0; i < n; ++i) both[i] = order[spread[i]];
      order = std::move(both);
    }
  });
  if (std::all_of(orders.begin(), orders.end(), [](const auto& order) { return order.empty(); })) return;
  moved_.resize(s.rows());
  parallel_for(tracks, threads, [&](std::size_t t) {
    const Row first = first_[t];
    const Row n = first_[t + 1] - first;
    for (Row i = 0; i < n; ++i) moved_[first + (orders[t].empty() ? i : orders[t][i])] = first + i;
  });
}

void SliceLayout::add_lanes(Profile& profile) {
  Lanes& lanes = profile.lanes;
  lane_of_track_.assign(tracks_.size(), kNoRow);
  auto add = [&](const RawTrack& track, Row overflow_of, Row first, Row last) {
    const auto lane = static_cast<Row>(lanes.rows());
    lanes.kind.push_back(track.counter ? LaneKind::counter : track.device ? LaneKind::device_stream : LaneKind::host_thread);
    lanes.process.push_back(kNoRow);
    lanes.device.push_back(track.device ? parse_integer(profile.text(track.pid)).value_or(kUnknown) : kUnknown);
    lanes.track.push_back(track.tid);
    lanes.name.push_back(track.counter ? track.tid : StringId::none);
    lanes.overflow_of.push_back(overflow_of);
    lanes.sort_key.push_back(kUnknown);
    lanes.first.push_back(first);
    lanes.last.push_back(last);
    std::fill(profile.slices.lane.begin() + first, profile.slices.lane.begin() + last, lane);
    return lane;
  };
  // A lane's process is known by pid text: one row per distinct pid, in lane order.
  std::map<StringId, Row> process_rows;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const StringId pid = tracks_[t].pid;
    const auto [at, is_new] = process_rows.try_emplace(pid, static_cast<Row>(profile.processes.rows()));
    if (is_new) {
      profile.processes.pid.push_back(pid);
      profile.processes.name.push_back(StringId::none);
      profile.processes.label.push_back(StringId::none);
      profile.processes.sort_key.push_back(kUnknown);
    }
    Row first = first_[t];
    if (sublane_ends_[t].empty()) sublane_ends_[t].push_back(first_[t + 1]);
    Row main = kNoRow;
    for (const Row end : sublane_ends_[t]) {
      const Row lane = add(tracks_[t], main, first, end);
      lanes.process[lane] = at->second;
      if (main == kNoRow) main = lane_of_track_[t] = lane;
      first = end;
    }
  }
}

// ---- flows ----
// match_flows: finds the slice of each end on all cores, then sorts by id; most files are sorted already.

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

  // The last slice of a lane, or of its overflow lanes, that ends at `time`, within the rounding of the writer's decimals;
  // kNoRow if there is none. Annotations do not count.
  Row ending_at(Row main, Time time) {
    constexpr Time kRounding = 2;  // ns
    const Lanes& lanes = profile_.lanes;
    const Time* starts = profile_.slices.start.data();
    for (Row lane = main; lane < lanes.rows() && (lane == main || lanes.overflow_of[lane] == main); ++lane) {
      const Time* first = starts + lanes.first[lane];
      const Time* at = partition_point_near(first, starts + lanes.last[lane], starts + near_[lane],
                                            [&](Time start) { return start <= time + kRounding; });
      near_[lane] = static_cast<Row>(at - starts);
      // What ends at `time` and what began after it: one or two slices, and the annotations around them.
      for (int steps = 0; at != first && steps < 8; --at, ++steps) {
        const auto row = static_cast<Row>(at - 1 - starts);
        if (profile_.slices.kind[row] == SliceKind::device_annotation) continue;
        if (std::abs(profile_.end_of(row) - time) <= kRounding) return row;
      }
    }
    return kNoRow;
  }

  // The innermost slice that starts at `time` on a lane or its overflow lanes; kNoRow if there is none. Python frames carry
  // no flows.
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
