// The routes of docs/http.md: state, reports, queries, losses, and the page. No view has a route.
#pragma once

#include <optional>
#include <string_view>

#include "agent/agent.h"
#include "engine/engine.h"
#include "server/access.h"
#include "server/message.h"

namespace sightline::server {

class CaptureService;
class OpenService;

// What the page may do beyond looking; null: it may not.
struct Services {
  CaptureService* captures = nullptr;
  OpenService* open = nullptr;
  const Agent* agent = nullptr;  // POST /mcp
};

// What an answer takes: `quick` waits for nothing, `view` computes, `query` may take half a minute, `form` and `upload` read as
// long as a client sends. No kind should wait for one that takes longer.
enum class Work { quick, view, query, form, upload };
Work work_of(const Request& request);

// Answers that do not depend on the body: refusals of access, methods that the path does not have, and the redirect of the
// address that opens the page once. Thread-safe.
std::optional<Response> refuse(const Access& access, const Request& request);

// Answers any request. Thread-safe.
Response answer(const Engine& engine, const Access& access, const Request& request, const Services& services = {});

}  // namespace sightline::server
