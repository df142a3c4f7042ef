// Tiles: the marks of some lanes in one window, and their binary form on the wire (docs/http.md, "Timeline").
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "timeline/timeline.h"

namespace sightline {

struct TileRequest {
  std::vector<Row> lanes;  // rows of lanes, none of them an overflow lane
  Window window;
  bool modules = false;  // whether each mark tells its module (the column `group`)
};

// A JSON header and raw little-endian columns; the header tells the window, which is the one asked for widened to
// whole pixels of a power of two ns. An unknown lane or an empty window is an invalid_argument.
Result<std::string> encode_tiles(const Timeline& timeline, const TileRequest& request);

// The same request from the texts of a query: lanes=3,4 start= end= pixel= group=module.
Result<TileRequest> parse_tile_request(const std::string& lanes, const std::string& start, const std::string& end,
                                       const std::string& pixel, const std::string& group = "");

}  // namespace sightline
