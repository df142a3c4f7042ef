// Tiles: the marks of some lanes in one window, and their binary form on the wire (docs/http.md, "Timeline").
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
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

}  // namespace sightline::output
