// The timeline's routes: /api/timeline and those beside it (docs/http.md, "Timeline").
#pragma once

#include <optional>
#include <string>

#include "engine/answers.h"
#include "server/message.h"

namespace sightline::server {

struct Answer {
  std::string content_type;
  std::string body;
  std::string file_name{};  // not empty: to be saved under this name
};

// nullopt: the path is none of these routes.
std::optional<Result<Answer>> timeline_answer(const Answers& answers, const Request& request);

}  // namespace sightline::server
