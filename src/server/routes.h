// The routes of docs/http.md: state, reports, and the page. There is none per view.
#pragma once

#include <optional>
#include <string_view>

#include "engine/engine.h"
#include "server/access.h"
#include "server/message.h"

namespace sightline::server {

class CaptureDesk;

// What an answer takes: `quick` waits for nothing, `view` computes, `query` may take half a minute, `form` reads as long as
// a client sends. None of them should wait behind one that takes longer.
enum class Work { quick, view, query, form };
Work work_of(std::string_view path);

// What is answered without a look at the body: refusals of access, methods that the path does not have, and the redirect of the
// address that opens the page once. Thread-safe.
std::optional<Response> refuse(const Access& access, const Request& request);

// Answers any request. Thread-safe. `desk` null: nothing is recorded from here.
Response answer(const Engine& engine, const Access& access, const Request& request, CaptureDesk* desk = nullptr);

}  // namespace sightline::server
