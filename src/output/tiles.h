// The marks of some lanes, and the values of some counters, in one window: their binary form on the wire (docs/http.md,
// "Timeline").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyses/derived_lanes.h"
#include "analyses/devices/counters.h"
#include "base/result.h"
#include "output/wire.h"
#include "timeline/level_of_detail.h"
#include "timeline/timeline.h"

namespace sightline::output {

// What each mark may tell of its longest slice besides its name (the column `group`): the module call that it is part of, the
// operator of the compiled program that it executes, or the framework's operator (the layer) that this was made from.
enum class MarkGroup : std::uint8_t { none, module, program_operator, layer };

// Whether any slice of the profile has one.
bool has_mark_group(const Profile& profile, MarkGroup group);

struct TileRequest {
  std::vector<std::uint32_t> lanes;  // drawn lanes
  Window window;
  MarkGroup group = MarkGroup::none;
};

// A JSON header and raw little-endian columns; the header tells the window, which is the one requested widened to
// whole pixels of a power of two ns. REQUIRES: the lanes are drawn, and the window is not empty. `derived`: what the timeline is
// made from, if it is a DerivedTimeline's.
std::string encode_tiles(const Timeline& timeline, const TileRequest& request, const DerivedLanes* derived = nullptr);

// Lanes that an analysis made, as a timeline.
struct DerivedTimeline {
  std::shared_ptr<const DerivedLanes> lanes;
  std::shared_ptr<const Timeline> timeline;
};

// Made once per profile, when first requested. Thread-safe.
std::shared_ptr<const DerivedTimeline> wait_timeline(const ProfilePtr& profile);

// The same request from the texts of a query: lanes=3,4 start= end= pixel= group=module|operator|layer.
Result<TileRequest> parse_tile_request(const Timeline& timeline, std::string_view lanes, std::string_view start,
                                       std::string_view end, std::string_view pixel, std::string_view group = "");

// ---- counters ----

// Counters with a tree over each series. Made once per profile, when first requested. Thread-safe.
class CounterCharts {
 public:
  explicit CounterCharts(std::shared_ptr<const std::vector<Counter>> counters);

  const std::vector<Counter>& counters() const { return *counters_; }
  std::int64_t bytes() const;  // of the trees
  const CounterLevels& levels(std::size_t counter, std::size_t series) const { return levels_[counter][series]; }

 private:
  std::shared_ptr<const std::vector<Counter>> counters_;
  std::vector<std::vector<CounterLevels>> levels_;
};

std::shared_ptr<const CounterCharts> counter_charts(const ProfilePtr& profile);

// A JSON header and raw little-endian columns; the window is widened to whole pixels of a power of two ns. REQUIRES: they exist.
std::string encode_counters(const CounterCharts& charts, const std::vector<std::uint32_t>& counters, const Window& window);

// ---- columns of bytes ----

// The beginning of an answer: the length of the header, the header, and blanks up to where a column may begin.
std::string framed_columns(std::string head, std::size_t column_bytes);

// The bytes that a column takes, so that the next one may begin.
std::size_t padded_column(std::size_t bytes);

// ---- headers of the answers, before their columns ----

struct SentColumnPlace {
  std::string_view name, type;
  std::size_t offset = 0;
};

// The marks of one row of a lane, as a part of the columns.
struct SentTileRow {
  std::uint32_t lane = 0;
  std::size_t row = 0, first = 0, count = 0;
};

struct SentTileHeader {
  Window window{};
  std::size_t marks = 0;
  std::vector<SentTileRow> rows{};
  std::vector<std::string_view> kinds{}, names{};
  std::optional<std::vector<std::string_view>> hues{};
  std::optional<std::vector<std::string_view>> groups{};
  std::vector<SentColumnPlace> columns{};
};

// The entries of one series, as a part of the columns.
struct SentCounterRow {
  std::uint32_t counter = 0;
  std::size_t series = 0, first = 0, count = 0;
};

struct SentCounterHeader {
  Window window{};
  std::vector<SentCounterRow> rows{};
  std::vector<SentColumnPlace> columns{};
};

template <typename Wire>
void describe(Wire& wire, const SentColumnPlace& place) {
  wire.type("ColumnPlace", "A column after the header of an answer in columns.");
  wire.must("name", place.name);
  wire.must("type", place.type, "f64, u32 or u8.");
  wire.must("offset", place.offset, "In bytes, from the end of the header.");
}

template <typename Wire>
void describe(Wire& wire, const SentTileRow& row) {
  wire.type("TileRow");
  wire.must("lane", row.lane);
  wire.must("row", row.row);
  wire.must("first", row.first);
  wire.must("count", row.count);
}

template <typename Wire>
void describe(Wire& wire, const SentTileHeader& header) {
  wire.type("TileHeader");
  wire.must("start", header.window.start);
  wire.must("end", header.window.end);
  wire.must("pixel", header.window.pixel);
  wire.must("marks", header.marks);
  wire.must("rows", header.rows);
  wire.must("kinds", header.kinds);
  wire.must("names", header.names);
  wire.some("hues", header.hues, "Of derived lanes, by kind: a category, or a text that a colour is made from.");
  wire.some("groups", header.groups, "If the request names a grouping.");
  wire.must("columns", header.columns);
}

template <typename Wire>
void describe(Wire& wire, const SentCounterRow& row) {
  wire.type("CounterRow");
  wire.must("counter", row.counter);
  wire.must("series", row.series);
  wire.must("first", row.first);
  wire.must("count", row.count);
}

template <typename Wire>
void describe(Wire& wire, const SentCounterHeader& header) {
  wire.type("CounterHeader");
  wire.must("start", header.window.start);
  wire.must("end", header.window.end);
  wire.must("pixel", header.window.pixel);
  wire.must("rows", header.rows);
  wire.must("columns", header.columns);
}

}  // namespace sightline::output
