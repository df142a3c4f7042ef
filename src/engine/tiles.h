// Tiles: the marks of some lanes in one window, and their binary form on the wire (docs/http.md, "Timeline").
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "timeline/timeline.h"

namespace sightline {

struct TileRequest {
  std::vector<std::uint32_t> lanes;  // drawn lanes
  Window window;
  bool modules = false;  // whether each mark tells its module (the column `group`)
};

// A JSON header and raw little-endian columns; the header tells the window, which is the one asked for widened to
// whole pixels of a power of two ns. REQUIRES: the lanes are drawn, and the window is not empty.
std::string encode_tiles(const Timeline& timeline, const TileRequest& request);

// The same request from the texts of a query: lanes=3,4 start= end= pixel= group=module.
Result<TileRequest> parse_tile_request(const Timeline& timeline, std::string_view lanes, std::string_view start,
                                       std::string_view end, std::string_view pixel, std::string_view group = "");

}  // namespace sightline
