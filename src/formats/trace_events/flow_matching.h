// The ends of flows and the slices that they stand on, brought together.
#pragma once

#include "formats/trace_events/parse_events.h"
#include "formats/trace_events/slice_layout.h"
#include "model/profile.h"

namespace sightline::formats::trace_events {

// Both ends are slices.
struct MatchedFlow {
  FlowChannel channel;
  Row from, to;
};

// By channel and id, then in the order of the file. Ends meet by channel and id: of several beginnings of one id the last counts,
// and so it is with the ends of a forward-backward flow; other flows may end in several places. Frees the raw ends. The times of
// the ends are from before `origin` was subtracted.
std::vector<MatchedFlow> match_flows(ParsedEvents& parsed, const SliceLayout& layout, Time origin, const Profile& profile,
                                     unsigned threads);

}  // namespace sightline::formats::trace_events
