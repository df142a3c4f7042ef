// The timeline on the wire: lanes, markers, a search, flows (docs/http.md, "Timeline"). What travels as columns of bytes is in
// output/tiles.
#pragma once

#include <string>
#include <vector>

#include "analyses/devices/counters.h"
#include "base/result.h"
#include "model/kind_names.h"
#include "model/tables.h"
#include "output/tiles.h"
#include "output/wire.h"
#include "store/marker_store.h"
#include "timeline/flows.h"
#include "timeline/timeline.h"

namespace sightline::output {

template <>
struct WireEnum<LaneKind> {
  static constexpr std::string_view kType = "LaneKind";
  static constexpr std::array<std::string_view, 6> kNames{"host_thread", "device_stream", "engine", "queue", "counter", "other"};
};

template <>
struct WireEnum<SliceKind> {
  static constexpr std::string_view kType = "SliceKind";
  static constexpr auto kNames = kSliceKindNames;
};

template <>
struct WireEnum<FlowKind> {
  static constexpr std::string_view kType = "FlowKind";
  static constexpr std::array<std::string_view, 3> kNames{"launch", "forward_backward", "other"};
};

// ---- the timeline ----

struct SentInterval {
  Time start = 0, end = 0;
};

struct SentLane {
  Row lane = 0;
  LaneKind kind = LaneKind::other;
  NameOrText title;
  std::string_view part;
  bool minor = false;
  std::size_t rows = 0, slices = 0;
  Time start = 0, end = 0;
};

struct SentSeries {
  NameOrText title;
  double most = 0;
};

struct SentCounter {
  std::size_t counter = 0;
  NameOrText title;
  Unit unit = Unit::none;
  Message doc;
  bool named = false;
  std::vector<SentSeries> series{};
  double most = 0;
  std::size_t points = 0;
};

struct SentGroup {
  NameOrText title;
  bool minor = false;
  std::vector<SentLane> lanes{};
  std::vector<SentCounter> counters{};
};

struct SentStep {
  std::string title;
  Time start = 0, duration = 0;
  std::optional<Row> slice{};
};

struct SentColours {
  std::string_view group, title;
  bool available = false;
};

struct SentTimeline {
  Time start = 0, end = 0;
  SentInterval span{};
  std::optional<std::string> origin_unix_ns{};
  std::vector<SentGroup> groups{};
  std::vector<SentStep> steps{};
  std::vector<SentColours> colours{};
  bool waits = false;
};

template <typename Wire>
void describe(Wire& wire, const SentInterval& interval) {
  wire.type("Interval");
  wire.must("start", interval.start);
  wire.must("end", interval.end);
}

template <typename Wire>
void describe(Wire& wire, const SentLane& lane) {
  wire.type("Lane");
  wire.must("lane", lane.lane);
  wire.must("kind", lane.kind);
  wire.must("title", lane.title);
  wire.must("part", lane.part, "ranges, or python: the Python stack of a thread.");
  wire.must("minor", lane.minor, "It has next to no slices beside the others: it begins folded.");
  wire.must("rows", lane.rows);
  wire.must("slices", lane.slices);
  wire.must("start", lane.start);
  wire.must("end", lane.end);
}

template <typename Wire>
void describe(Wire& wire, const SentSeries& series) {
  wire.type("CounterSeries");
  wire.must("title", series.title);
  wire.must("most", series.most, "The greatest value; null if none is known.");
}

template <typename Wire>
void describe(Wire& wire, const SentCounter& counter) {
  wire.type("Counter");
  wire.must("counter", counter.counter);
  wire.must("title", counter.title);
  wire.must("unit", counter.unit);
  wire.must("doc", counter.doc);
  wire.must("named", counter.named, "The series have the names from the file.");
  wire.must("series", counter.series);
  wire.must("most", counter.most, "The greatest value; null if none is known.");
  wire.must("points", counter.points);
}

template <typename Wire>
void describe(Wire& wire, const SentGroup& group) {
  wire.type("LaneGroup");
  wire.must("title", group.title);
  wire.must("minor", group.minor, "It holds next to nothing, or nothing of a process: it begins folded.");
  wire.must("lanes", group.lanes);
  wire.must("counters", group.counters);
}

template <typename Wire>
void describe(Wire& wire, const SentStep& step) {
  wire.type("Step");
  wire.must("title", step.title);
  wire.must("start", step.start);
  wire.must("duration", step.duration);
  wire.must("slice", step.slice);
}

template <typename Wire>
void describe(Wire& wire, const SentColours& colours) {
  wire.type("ColourGroup");
  wire.must("group", colours.group);
  wire.must("title", colours.title);
  wire.must("available", colours.available);
}

template <typename Wire>
void describe(Wire& wire, const SentTimeline& timeline) {
  wire.type("TimelineInfo");
  wire.must("start", timeline.start);
  wire.must("end", timeline.end);
  wire.must("span", timeline.span, "The profiler's own window.");
  wire.must("origin_unix_ns", timeline.origin_unix_ns);
  wire.must("groups", timeline.groups);
  wire.must("steps", timeline.steps);
  wire.must("colours", timeline.colours, "What slices can be coloured by.");
  wire.must("waits", timeline.waits, "There are lanes of what the steps waited for.");
  wire.messages();
}

// ---- markers ----

struct SentMarkers {
  std::vector<std::string> sets{};
  std::string set{};
  bool saved = false;
  std::vector<Marker> markers{};
};

template <typename Wire>
void describe(Wire& wire, const Marker& marker) {
  wire.type("Marker");
  wire.must("time", marker.time);
  wire.must("name", marker.name);
}

template <typename Wire>
void describe(Wire& wire, const SentMarkers& markers) {
  wire.type("MarkerSet");
  wire.must("sets", markers.sets, "Names of all sets.");
  wire.must("set", markers.set);
  wire.must("saved", markers.saved, "False: they last as long as the program.");
  wire.must("markers", markers.markers);
}

// ---- searches and flows ----

struct SentHit {
  Row slice = 0, lane = 0, row = 0;
  Time start = 0, duration = 0;
  std::string_view name;
};

struct SentHits {
  std::size_t count = 0, first = 0;
  std::vector<SentHit> hits{};
};

struct SentFlowColumns {
  std::vector<FlowKind> kind{};
  std::vector<Row> from{}, to{}, from_lane{}, from_row{};
  std::vector<Time> from_time{};
  std::vector<Row> to_lane{}, to_row{};
  std::vector<Time> to_time{};
};

struct SentFlows {
  std::size_t count = 0, shown = 0;
  std::vector<std::uint32_t> lanes{};
  SentFlowColumns flows{};
};

template <typename Wire>
void describe(Wire& wire, const SentHit& hit) {
  wire.type("Hit");
  wire.must("slice", hit.slice);
  wire.must("lane", hit.lane);
  wire.must("row", hit.row);
  wire.must("start", hit.start);
  wire.must("duration", hit.duration);
  wire.must("name", hit.name);
}

template <typename Wire>
void describe(Wire& wire, const SentHits& hits) {
  wire.type("SearchAnswer");
  wire.must("count", hits.count);
  wire.must("first", hits.first, "How many hits come before these.");
  wire.must("hits", hits.hits, "In order of time.");
}

template <typename Wire>
void describe(Wire& wire, const SentFlowColumns& flows) {
  wire.type("FlowColumns", "Columns of equal length, one entry per flow.");
  wire.must("kind", flows.kind);
  wire.must("from", flows.from);
  wire.must("to", flows.to);
  wire.must("from_lane", flows.from_lane);
  wire.must("from_row", flows.from_row);
  wire.must("from_time", flows.from_time);
  wire.must("to_lane", flows.to_lane);
  wire.must("to_row", flows.to_row);
  wire.must("to_time", flows.to_time);
}

template <typename Wire>
void describe(Wire& wire, const SentFlows& sent) {
  wire.type("FlowAnswer");
  wire.must("count", sent.count, "Number of all flows; the columns hold `shown` of them.");
  wire.must("shown", sent.shown);
  wire.must("lanes", sent.lanes);
  wire.must("flows", sent.flows);
}

std::string timeline_json(const Timeline& timeline, const std::vector<Counter>& counters);
// One group.
std::string derived_timeline_json(const DerivedTimeline& derived, const Message& title);

// Slices whose name holds `text`, ignoring case, in order of time: at most `limit`, from number `offset` on, and from the time
// `from` on.
struct HitsWanted {
  std::string text;
  std::size_t limit = 0, offset = 0;
  Time from = std::numeric_limits<Time>::min();
};

// They, and how many there are in all.
std::string search_json(const Timeline& timeline, const HitsWanted& wanted);

std::string flows_json(const Timeline& timeline, const FlowRequest& request);

}  // namespace sightline::output
