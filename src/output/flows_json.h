// The flows of a window on the wire (docs/http.md, "Timeline").
#pragma once

#include <string>

#include "base/result.h"
#include "timeline/flows.h"

namespace sightline::output {

constexpr std::string_view flow_kind_name(FlowKind kind) {
  switch (kind) {
    case FlowKind::launch: return "launch";
    case FlowKind::forward_backward: return "forward_backward";
    case FlowKind::other: return "other";
  }
  return "other";
}

// From the texts of a query: lanes=3,4 start= end= pixel= kinds=launch,other. Empty kinds: all of them.
Result<FlowRequest> parse_flow_request(const Timeline& timeline, const std::string& lanes, const Window& window,
                                       std::string_view kinds);

std::string flows_json(const Timeline& timeline, const FlowRequest& request);

}  // namespace sightline::output
