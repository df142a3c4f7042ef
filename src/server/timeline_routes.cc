// From the texts of a query to the answers of the engine.
#include "server/timeline_routes.h"

#include <algorithm>

#include "base/text.h"
#include "output/slice_json.h"
#include "output/tiles.h"
#include "output/timeline_json.h"
#include "output/timeline_query.h"
#include "output/trace_export.h"

namespace sightline::server {

namespace {

constexpr std::size_t kMostHits = 10'000;
constexpr std::uint64_t kMostExported = 1'000'000;  // slices, about 250 bytes each

Result<std::int64_t> row_number(const Request& request, std::string_view name, std::int64_t otherwise) {
  const std::string text = request.parameter(name);
  if (text.empty() && otherwise >= 0) return otherwise;
  if (const auto value = whole_number<std::int64_t>(text); value && *value >= 0) return *value;
  return Error{ErrorCode::invalid_argument, say("{} takes a number, not '{}'", name, text), {}};
}

Result<Answer> tiles(const Timeline& timeline, const Request& request, const DerivedLanes* derived = nullptr) {
  const Result<TileRequest> wanted =
      parse_tile_request(timeline, request.parameter("lanes"), request.parameter("start"), request.parameter("end"),
                         request.parameter("pixel"), request.parameter("group"));
  if (!wanted) return wanted.error();
  return Answer{"application/octet-stream", encode_tiles(timeline, *wanted, derived), {}};
}

Result<Window> window(const Request& request) {
  return parse_window(request.parameter("start"), request.parameter("end"), request.parameter("pixel"));
}

Result<Answer> flows(const Timeline& timeline, const Request& request) {
  const Result<Window> within = window(request);
  if (!within) return within.error();
  const Result<FlowRequest> wanted =
      parse_flow_request(timeline, request.parameter("lanes"), *within, request.parameter("kinds"));
  if (!wanted) return wanted.error();
  return Answer{"application/json", flows_json(timeline, *wanted), {}};
}

Result<Answer> counters(const Timeline& timeline, const Request& request) {
  const Result<Window> within = window(request);
  if (!within) return within.error();
  const auto charts = counter_charts(timeline.profile_pointer());
  const auto numbers = parse_numbers("counters", request.parameter("counters"), charts->counters().size(), "counter");
  if (!numbers) return numbers.error();
  return Answer{"application/octet-stream", encode_counters(*charts, *numbers, *within), {}};
}

Result<Answer> exported(const Timeline& timeline, const Request& request) {
  const Result<ExportRequest> wanted =
      parse_export_request(timeline, request.parameter("lanes"), request.parameter("start"), request.parameter("end"));
  if (!wanted) return wanted.error();
  const std::uint64_t count = count_export(timeline, *wanted);
  if (count > kMostExported) {
    return Error{
        ErrorCode::invalid_argument,
        say("{} slices are too many to export from the page (at most {}): choose a smaller window or fewer lanes, or use "
            "sightline export",
            count, kMostExported),
        ""};
  }
  std::string body;
  export_trace(timeline, counter_charts(timeline.profile_pointer())->counters(), *wanted, [&](std::string_view text) {
    body += text;
    return true;
  });
  return Answer{"application/json", std::move(body), "window.pt.trace.json"};
}

Result<Answer> slice(const Answers& answers, const ProfileSelector& selector, const Timeline& timeline, const Request& request) {
  const Result<std::int64_t> row = row_number(request, "slice", -1);
  if (!row) return row.error();
  if (*row >= static_cast<std::int64_t>(timeline.profile().slices.rows()))
    return Error{ErrorCode::not_found, say("no slice {}", *row), {}};
  const Result<std::int64_t> with_event = row_number(request, "event", 1);
  if (!with_event) return with_event.error();
  // The file may have been removed since it was read; the columns are shown nevertheless.
  std::string event;
  if (*with_event != 0) {
    if (Result<std::string> text = answers.event_text(selector, static_cast<Row>(*row))) event = std::move(*text);
  }
  return Answer{"application/json", slice_json(timeline, static_cast<Row>(*row), event), {}};
}

Result<Answer> search(const Timeline& timeline, const Request& request) {
  const Result<std::int64_t> limit = row_number(request, "limit", 1000), offset = row_number(request, "offset", 0);
  if (!limit || !offset) return limit ? offset.error() : limit.error();
  HitsWanted wanted{.text = request.parameter("text"),
                    .limit = static_cast<std::size_t>(std::min<std::int64_t>(*limit, kMostHits)),
                    .offset = static_cast<std::size_t>(*offset)};
  if (const std::string from = request.parameter("from"); !from.empty()) {
    const auto time = whole_number<Time>(from);
    if (!time) return Error{ErrorCode::invalid_argument, say("{} takes a number, not '{}'", "from", from), {}};
    wanted.from = *time;
  }
  return Answer{"application/json", search_json(timeline, wanted), {}};
}

// Lanes that an analysis made.
Result<Answer> derived(const ProfilePtr& profile, const Request& request) {
  if (const std::string name = request.parameter("derived"); name != "waits")
    return Error{ErrorCode::invalid_argument, say("derived takes waits, not '{}'", name), ""};
  const auto waits = wait_timeline(profile);
  if (request.path == "/api/tiles") return tiles(*waits->timeline, request, waits->lanes.get());
  return Answer{"application/json", derived_timeline_json(*waits, "What the steps waited for"), {}};
}

}  // namespace

std::optional<Result<Answer>> timeline_answer(const Answers& answers, const Request& request) {
  constexpr std::string_view kRoutes[] = {"/api/timeline", "/api/tiles",  "/api/counters", "/api/flows",
                                          "/api/slice",    "/api/search", "/api/export"};
  if (std::find(std::begin(kRoutes), std::end(kRoutes), request.path) == std::end(kRoutes)) return std::nullopt;
  const ProfileSelector selector{request.parameter("run"), request.parameter("worker"), request.parameter("span")};
  const Result<std::shared_ptr<const Timeline>> timeline = answers.timeline(selector);
  if (!timeline) return timeline.error();
  const bool of_lanes = request.path == "/api/timeline" || request.path == "/api/tiles";
  if (of_lanes && !request.parameter("derived").empty()) return derived((*timeline)->profile_pointer(), request);
  if (request.path == "/api/tiles") return tiles(**timeline, request);
  if (request.path == "/api/counters") return counters(**timeline, request);
  if (request.path == "/api/flows") return flows(**timeline, request);
  if (request.path == "/api/export") return exported(**timeline, request);
  if (request.path == "/api/slice") return slice(answers, selector, **timeline, request);
  if (request.path == "/api/search") return search(**timeline, request);
  return Answer{"application/json", timeline_json(**timeline, counter_charts((*timeline)->profile_pointer())->counters()), {}};
}

namespace {

constexpr std::string_view kJson = "application/json";

bool is_json(std::string_view content_type) { return content_type.substr(0, content_type.find_first_of("; ")) == kJson; }

Result<bool> change(MarkerStore& store, const std::string& key, const std::string& set, const Request& request) {
  if (!is_json(request.content_type)) {
    return Error{ErrorCode::invalid_argument, "a request that changes something needs Content-Type: application/json", ""};
  }
  if (request.method == "DELETE") return store.remove(key, set);
  Result<std::vector<Marker>> markers = parse_markers(request.body);
  if (!markers) return markers.error();
  return store.write(key, set, *std::move(markers));
}

}  // namespace

Result<std::string> markers_answer(const Answers& answers, MarkerStore& store, const Request& request) {
  const ProfileSelector selector{request.parameter("run"), request.parameter("worker"), request.parameter("span")};
  const Result<std::string> key = answers.content_key(selector);
  if (!key) return key.error();
  const std::string named = request.parameter("set");
  const std::string set = named.empty() ? "default" : named;
  if (request.method == "PUT" || request.method == "DELETE") {
    const Result<bool> changed = change(store, *key, set, request);
    if (!changed) return changed.error();
  }
  Result<std::vector<Marker>> markers = store.read(*key, set);
  if (!markers) return markers.error();
  return wire_json(SentMarkers{store.sets(*key), set, store.saved(), *std::move(markers)});
}

}  // namespace sightline::server
