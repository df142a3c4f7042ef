// The routes of docs/http.md, "Ranks on one axis": /api/ranks, /api/rank_tiles and /api/rank_collective.
#pragma once

#include <optional>

#include "engine/answers.h"
#include "server/message.h"
#include "server/timeline_routes.h"

namespace sightline::server {

// nullopt: the path is not one of these routes.
std::optional<Result<Answer>> rank_answer(const Answers& answers, const Request& request);

}  // namespace sightline::server
