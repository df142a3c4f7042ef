// The route of the timeline's markers, the only one that changes something: GET, PUT and DELETE /api/markers
// (docs/http.md, "Timeline").
#pragma once

#include <string>

#include "engine/engine.h"
#include "server/message.h"

namespace sightline::server {

// The set of markers as JSON, after the change that the request makes.
Result<std::string> markers_answer(const Engine& engine, const Request& request);

}  // namespace sightline::server
