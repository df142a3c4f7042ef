// The routes of docs/http.md: state, reports, and the page. There is none per view.
#pragma once

#include "engine/engine.h"
#include "server/access.h"
#include "server/message.h"

namespace sightline {

// Answers any request. Thread-safe.
Response answer(const Engine& engine, const Access& access, const Request& request);

}  // namespace sightline
