// The route of the timeline's markers, the only one that changes something: GET, PUT and DELETE /api/markers
// (docs/http.md, "Timeline").
#pragma once

#include <string>

#include "engine/answers.h"
#include "server/message.h"
#include "store/marker_store.h"

namespace sightline::server {

// The set of markers as JSON, after the change that the request makes.
Result<std::string> markers_answer(const Answers& answers, MarkerStore& store, const Request& request);

}  // namespace sightline::server
