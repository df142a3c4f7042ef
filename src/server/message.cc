// Reading headers, writing errors.
#include "server/message.h"

#include <algorithm>

#include "base/json_writer.h"

namespace sightline::server {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "q=0", "q=0.0", ...
bool is_zero_quality(std::string_view parameter) {
  if (!parameter.starts_with("q=")) return false;
  return parameter.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

std::string Request::parameter(std::string_view name) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.first == name; });
  return found == parameters.end() ? "" : found->second;
}

Response error_answer(int status, std::string_view code, const Message& message, std::string_view where) {
  std::string body;
  JsonWriter json(body);
  json.begin_object().key("error").begin_object();
  json.member("code", code).member("message", message).member("where", where).end_object();
  json.messages().end_object();
  return {.status = status,
          .content_type = "application/json",
          .body = std::make_shared<const std::string>(std::move(body)),
          .headers = {{"Cache-Control", "no-store"}}};
}

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view entry = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const std::size_t semicolon = std::min(entry.find(';'), entry.size());
    const std::string_view coding = trimmed(entry.substr(0, semicolon));
    if (coding != "gzip" && coding != "*") continue;
    return semicolon == entry.size() || !is_zero_quality(trimmed(entry.substr(semicolon + 1)));
  }
  return false;
}

}  // namespace sightline::server
