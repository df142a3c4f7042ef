// What the timeline's requests have in common: numbers, windows, flows and what to export, from the texts of a query or of a
// command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/interval.h"
#include "timeline/flows.h"
#include "timeline/timeline.h"

namespace sightline::output {

// "3,4" -> {3, 4}; empty -> {}. Every number must be below `limit`: `what` is the noun for errors, such as "lane".
Result<std::vector<std::uint32_t>> parse_numbers(std::string_view name, std::string_view text, std::size_t limit,
                                                 std::string_view what);

// An integer of ns that a JavaScript number holds exactly.
Result<Time> parse_time(std::string_view name, std::string_view text);

// REQUIRES nothing of the texts: start < end and pixel >= 1 are checked.
Result<Window> parse_window(std::string_view start, std::string_view end, std::string_view pixel);

// From the texts of a query: lanes=3,4 start= end= pixel= kinds=launch,other. Empty kinds: all of them.
Result<FlowRequest> parse_flow_request(const Timeline& timeline, const std::string& lanes, const Window& window,
                                       std::string_view kinds);

struct ExportRequest {
  std::vector<std::uint32_t> lanes;  // numbers of drawn lanes; empty: all
  Interval range;
};

// From the texts of a query or a command line: lanes=3,4 start= end=; empty: all of it.
Result<ExportRequest> parse_export_request(const Timeline& timeline, std::string_view lanes, std::string_view start,
                                           std::string_view end);

// What is wrong with such texts whatever the timeline.
Result<bool> check_export_window(std::string_view lanes, std::string_view start, std::string_view end);

// Numbers of the lanes requested, ascending, each once.
std::vector<std::uint32_t> lanes_of(const Timeline& timeline, const ExportRequest& request);

// The slices of a lane that touch the range, by start, then longest first.
std::vector<Row> slices_touching(const Timeline& timeline, const DrawnLane& lane, Interval range);

// How many slices that would be in all lanes.
std::uint64_t count_export(const Timeline& timeline, const ExportRequest& request);

}  // namespace sightline::output
