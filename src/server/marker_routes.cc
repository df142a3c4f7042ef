// Markers over HTTP. A form on another site's page can send a request here, but not with this content type.
#include "server/marker_routes.h"

#include "base/json_writer.h"

namespace sightline::server {

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
  const Result<std::vector<Marker>> markers = store.read(*key, set);
  if (!markers) return markers.error();
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("sets").begin_array();
  for (const std::string& name : store.sets(*key)) json.value(std::string_view(name));
  json.end_array().member("set", std::string_view(set)).member("saved", store.saved());
  out += ",\"markers\":" + markers_json(*markers) + "}";
  return out;
}

}  // namespace sightline::server
