// From raw events to rows: SliceLayout moves the slices of batches into the slices table, grouped by lane and sorted within each,
// and remembers where each went, so that side tables can follow. match_flows finds the slices at both ends of flows.
#pragma once

#include <vector>

#include "formats/trace_events/parse_events.h"
#include "model/profile.h"

namespace sightline::formats::trace_events {

// ---- slices ----

class SliceLayout {
 public:
  // Fills profile.lanes and profile.slices; frees the raw slices of the batches. `string_map[w]` translates the
  // string ids of worker w (empty: the same). `origin` is subtracted from every time.
  SliceLayout(ParsedEvents& parsed, const std::vector<std::vector<StringId>>& string_map, Time origin, Profile& profile,
              unsigned threads);

  // The row of slice `index` of batch `batch`.
  Row row(std::size_t batch, std::uint32_t index) const {
    const Row placed = placed_[batch][index];
    return moved_.empty() ? placed : moved_[placed];
  }

  // The lane of a track of a worker (of its host or counter events), or kNoRow if it has no slices.
  Row lane(unsigned worker, std::uint32_t track) const { return lane_of_track_[track_map_[worker][track]]; }

 private:
  void merge_tracks(const ParsedEvents& parsed, const std::vector<std::vector<StringId>>& string_map, const StringPool& strings);
  void place(ParsedEvents& parsed, const std::vector<std::vector<StringId>>& string_map, Time origin, const StringPool& strings,
             Slices& slices, unsigned threads);
  void sort_and_nest(Profile& profile, unsigned threads);
  void add_lanes(Profile& profile);

  std::vector<RawTrack> tracks_;                       // all, in lane order, ids of the merged pool
  std::vector<std::vector<std::uint32_t>> track_map_;  // by worker: its track -> tracks_
  std::vector<Row> first_;                             // by track: first row; one more than tracks_
  std::vector<std::vector<Row>> placed_;               // by batch: row before sorting
  std::vector<Row> moved_;                             // by row before sorting: row now; empty if nothing moved
  std::vector<std::vector<Row>> sublane_ends_;         // by track: ends of its sub-lanes within its rows
  std::vector<Row> lane_of_track_;
};

// ---- flows ----

// Both ends are slices.
struct MatchedFlow {
  FlowChannel channel;
  Row from, to;
};

// By channel and id, then in the order of the file. Ends are matched by channel and id. Of several beginnings with one id the
// last one counts, and of several ends of a forward-backward flow too; other flows may end in several places. Frees the raw
// ends. The ends' times are from before `origin` was subtracted.
std::vector<MatchedFlow> match_flows(ParsedEvents& parsed, const SliceLayout& layout, Time origin, const Profile& profile,
                                     unsigned threads);

}  // namespace sightline::formats::trace_events
