// A window of the timeline as a Chrome trace, for chrome://tracing, Perfetto and Sightline itself: slices, launches, pairs of
// forward and backward operators, and counters, with what the columns know as args.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "analyses/counters.h"
#include "base/result.h"
#include "model/interval.h"
#include "timeline/timeline.h"

namespace sightline {

struct ExportRequest {
  std::vector<std::uint32_t> lanes;  // numbers of drawn lanes; empty: all
  Interval range;
};

// Slices are whole: those that touch the range. A flow has both ends among them. Text goes to `write` in pieces of about 1 MiB,
// until it answers false. A thread's slices nest: Python frames, and what truly overlaps, are threads of their own.
void export_trace(const Timeline& timeline, const std::vector<Counter>& counters, const ExportRequest& request,
                  const std::function<bool(std::string_view)>& write);

// How many slices that would be.
std::uint64_t count_export(const Timeline& timeline, const ExportRequest& request);

// From the texts of a query or a command line: lanes=3,4 start= end=; empty: all of it.
Result<ExportRequest> parse_export_request(const Timeline& timeline, std::string_view lanes, std::string_view start,
                                           std::string_view end);

}  // namespace sightline
