// Messages, and what is sent of a response.
#include "server/message.h"

#include <algorithm>
#include <optional>

#include "base/fields.h"
#include "base/text.h"
#include "output/state_json.h"

namespace sightline::server {

namespace {

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
  return {.status = status,
          .content_type = "application/json",
          .body = std::make_shared<const std::string>(wire_json(SentErrorBody{{code, message, where}})),
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

namespace {

// Sent with every answer: nothing from elsewhere runs in the page, and no other site may embed it.
constexpr std::string_view kSecurityHeaders =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n";

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 206: return "Partial Content";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Answer";
  }
}

struct Range {
  std::size_t begin = 0, end = 0;
};

// "bytes=2-9", "bytes=2-" or "bytes=-8" of `size` bytes; empty if it covers no byte; absent if it is not one range.
std::optional<Range> one_range(std::string_view text, std::size_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!text.starts_with(kUnit)) return std::nullopt;
  text.remove_prefix(kUnit.size());
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = whole_number<std::uint64_t>(text.substr(0, dash)), last = whole_number<std::uint64_t>(text.substr(dash + 1));
  const bool from_end = dash == 0, to_end = dash + 1 == text.size();
  if ((!first && !from_end) || (!last && !to_end) || (from_end && to_end)) return std::nullopt;
  if (from_end) return Range{size - std::min<std::size_t>(size, *last), size};
  if (last && *last < *first) return std::nullopt;
  return Range{std::min<std::size_t>(size, *first), last && *last < size ? *last + 1 : size};
}

// No answer of ours has one, but a name of a file may be in a header.
std::string without_line_breaks(std::string text) {
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
  return text;
}

}  // namespace

Outgoing outgoing(const Response& response, std::string_view method, std::string_view range, bool last) {
  const std::size_t size = response.body->size();
  Outgoing out{.head = {}, .body = response.body, .begin = 0, .end = size};
  int status = response.status;
  std::string headers;
  if (const auto wanted = status == 200 && size > 0 && !range.empty() ? one_range(range, size) : std::nullopt) {
    const bool none = wanted->begin >= wanted->end;
    status = none ? 416 : 206;
    out.begin = none ? 0 : wanted->begin;
    out.end = none ? 0 : wanted->end;
    const std::string part = none ? "*" : std::to_string(out.begin) + "-" + std::to_string(out.end - 1);
    headers = "Content-Range: bytes " + part + "/" + std::to_string(size) + "\r\n";
  }
  if (status != 304) headers += "Content-Length: " + std::to_string(out.end - out.begin) + "\r\n";
  if (!response.content_type.empty() && size > 0) headers += "Content-Type: " + response.content_type + "\r\n";
  for (const auto& [name, value] : response.headers) headers += name + ": " + without_line_breaks(value) + "\r\n";
  if (status == 200 && size > 0) headers += "Accept-Ranges: bytes\r\n";
  if (last) headers += "Connection: close\r\n";
  out.head = "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason_of(status)) + "\r\n" + headers;
  out.head.append(kSecurityHeaders).append("\r\n");
  if (method == "HEAD") out.end = out.begin;
  return out;
}

}  // namespace sightline::server
