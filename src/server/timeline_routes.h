// The routes of docs/http.md, "Timeline": /api/timeline and those beside it, and its markers, the only route that changes
// something: GET, PUT and DELETE /api/markers.
#pragma once

#include <optional>
#include <string>

#include "engine/answers.h"
#include "server/message.h"
#include "store/marker_store.h"

namespace sightline::server {

struct Answer {
  std::string content_type;
  std::string body;
  std::string file_name{};  // not empty: to be saved under this name
};

// nullopt: the path is not one of these routes.
std::optional<Result<Answer>> timeline_answer(const Answers& answers, const Request& request);

// The set of markers as JSON, after the change that the request makes.
Result<std::string> markers_answer(const Answers& answers, MarkerStore& store, const Request& request);

}  // namespace sightline::server
