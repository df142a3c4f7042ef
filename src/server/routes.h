// The routes of docs/http.md: state, reports, and the page. There is none per view.
#pragma once

#include "engine/engine.h"
#include "server/access.h"
#include "server/message.h"

namespace sightline {

class CaptureDesk;

// Answers any request. Thread-safe. `desk` null: nothing is recorded from here.
Response answer(const Engine& engine, const Access& access, const Request& request, CaptureDesk* desk = nullptr);

}  // namespace sightline
