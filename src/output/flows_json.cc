// Flows as columns of JSON.
#include "output/flows_json.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json_writer.h"
#include "output/timeline_query.h"

namespace sightline::output {

namespace {

constexpr FlowKind kAllKinds[] = {FlowKind::launch, FlowKind::forward_backward, FlowKind::other};

Result<std::array<bool, kFlowKinds>> parse_kinds(std::string_view text) {
  std::array<bool, kFlowKinds> kinds{};
  if (text.empty()) kinds.fill(true);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    const auto* kind =
        std::find_if(std::begin(kAllKinds), std::end(kAllKinds), [&](FlowKind k) { return flow_kind_name(k) == name; });
    if (kind == std::end(kAllKinds)) {
      return Error{ErrorCode::invalid_argument, fmt::format("kinds are launch, forward_backward and other, not '{}'", name), ""};
    }
    kinds[static_cast<std::size_t>(*kind)] = true;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return kinds;
}

}  // namespace

Result<FlowRequest> parse_flow_request(const Timeline& timeline, const std::string& lanes, const Window& window,
                                       std::string_view kinds) {
  Result<std::vector<std::uint32_t>> numbers = parse_numbers("lanes", lanes, timeline.lanes().size(), "lane");
  if (!numbers) return numbers.error();
  const auto wanted = parse_kinds(kinds);
  if (!wanted) return wanted.error();
  return FlowRequest{*std::move(numbers), window, *wanted};
}

std::string flows_json(const Timeline& timeline, const FlowRequest& request) {
  const FlowsInWindow found = flows_in(timeline, request);
  const Slices& s = timeline.profile().slices;
  std::string out;
  JsonWriter json(out);
  json.begin_object().member("count", static_cast<std::int64_t>(found.count));
  json.member("shown", static_cast<std::int64_t>(found.shown.size())).key("lanes").begin_array();
  for (const std::uint32_t lane : request.lanes) json.value(std::int64_t{lane});
  json.end_array().key("flows").begin_object();
  const auto column = [&](std::string_view name, auto&& cell) {
    json.key(name).begin_array();
    for (const Flow& flow : found.shown) json.value(cell(flow));
    json.end_array();
  };
  column("kind", [](const Flow& f) { return flow_kind_name(f.kind); });
  column("from", [](const Flow& f) { return std::int64_t{f.from}; });
  column("to", [](const Flow& f) { return std::int64_t{f.to}; });
  column("from_lane", [&](const Flow& f) { return std::int64_t{timeline.place_of(f.from).lane}; });
  column("from_row", [&](const Flow& f) { return std::int64_t{timeline.place_of(f.from).row}; });
  column("from_time", [&](const Flow& f) { return s.start[f.from]; });
  column("to_lane", [&](const Flow& f) { return std::int64_t{timeline.place_of(f.to).lane}; });
  column("to_row", [&](const Flow& f) { return std::int64_t{timeline.place_of(f.to).row}; });
  column("to_time", [&](const Flow& f) { return s.start[f.to]; });
  json.end_object().end_object();
  return out;
}

}  // namespace sightline::output
