// The marks of some lanes, and the values of some counters, in one window: their binary form on the wire (docs/http.md,
// "Timeline").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyses/devices/counters.h"
#include "base/result.h"
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
// whole pixels of a power of two ns. REQUIRES: the lanes are drawn, and the window is not empty.
std::string encode_tiles(const Timeline& timeline, const TileRequest& request);

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

}  // namespace sightline::output
