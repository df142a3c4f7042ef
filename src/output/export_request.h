// Which part of a timeline is exported, for every format of traces.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/interval.h"
#include "timeline/timeline.h"

namespace sightline::output {

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
