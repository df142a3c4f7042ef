// A request and its response, free of any HTTP library: what the routes work on and the tests build by hand; and a response as
// the bytes of HTTP/1.1.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.h"

namespace sightline::server {

// The parts of a form as they arrive: for each part, `begin` is called with its name and its file's name (empty for a plain
// field), then `bytes` with pieces of its content. False: the form ended too early, or is not a form.
using FormBegin = std::function<void(const std::string& name, const std::string& file_name)>;
using FormBytes = std::function<void(std::string_view)>;
using FormReader = std::function<bool(const FormBegin& begin, const FormBytes& bytes)>;

// A body as it arrives: calls `bytes` for each piece, until that returns false. False: it was not read to its end.
using BodyReader = std::function<bool(const std::function<bool(std::string_view)>& bytes)>;

struct Request {
  std::string method = "GET";
  std::string path;                                             // decoded, with its leading slash
  std::string query;                                            // as sent, without the question mark
  std::vector<std::pair<std::string, std::string>> parameters;  // of the query, decoded
  // Headers, or empty. The values of a repeated header are joined by ", ".
  std::string host, origin, cookie, authorization, accept_encoding, if_none_match;
  std::string content_type = {};
  std::string sec_fetch_site = {}, sec_fetch_mode = {}, sec_fetch_dest = {};  // what a browser reports about the sender, or empty
  std::string mcp_version = {}, mcp_method = {}, mcp_name = {};               // what a request to /mcp says of its body, or empty
  std::string body = {};
  std::function<bool()> client_has_left = {};  // empty: unknown
  FormReader form = {};                        // if a form was sent; can be read once
  BodyReader stream = {};                      // of an upload, if it is not empty; can be read once

  // The first parameter of that name, or empty.
  std::string parameter(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type;
  std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
  std::vector<std::pair<std::string, std::string>> headers;
};

// An error as every route sends it: {"error": {"code", "message", "where"}, "messages"}.
Response error_answer(int status, std::string_view code, const Message& message, std::string_view where = "");

// Whether an Accept-Encoding header allows gzip ("gzip;q=0" does not).
bool accepts_gzip(std::string_view accept_encoding);

// A response as the bytes of HTTP/1.1.
struct Outgoing {
  std::string head;  // status line and headers, with the empty line after them
  std::shared_ptr<const std::string> body;
  std::size_t begin = 0, end = 0;  // the part of the body that is sent
};

// `method` and `range` are the request's (a Range header or empty); `last`: the connection ends with this answer. For several
// ranges the whole answer is sent.
Outgoing outgoing(const Response& response, std::string_view method, std::string_view range, bool last);

}  // namespace sightline::server
