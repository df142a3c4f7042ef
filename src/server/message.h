// A request and its answer, free of any HTTP library: what the routes work on and the tests build by hand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.h"

namespace sightline::server {

// A form's parts as they come in, in order: `begin` gets the name of a part and its file's (empty for a plain field), then
// `bytes` is given its content in pieces. False: the form ended too early, or is not a form.
using FormBegin = std::function<void(const std::string& name, const std::string& file_name)>;
using FormBytes = std::function<void(std::string_view)>;
using FormReader = std::function<bool(const FormBegin& begin, const FormBytes& bytes)>;

struct Request {
  std::string method = "GET";
  std::string path;                                             // decoded, with its leading slash
  std::string query;                                            // as sent, without the question mark
  std::vector<std::pair<std::string, std::string>> parameters;  // of the query, decoded
  // Headers, or empty. A header that came several times has its values with ", " between them.
  std::string host, origin, cookie, authorization, accept_encoding, if_none_match;
  std::string content_type = {};
  std::string sec_fetch_site = {}, sec_fetch_mode = {}, sec_fetch_dest = {};  // what a browser reports about the sender, or empty
  std::string body = {};
  std::function<bool()> client_has_left = {};  // empty: unknown
  FormReader form = {};                        // where a form was sent; can be read once

  // The first parameter of that name, or empty.
  std::string parameter(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type;
  std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
  std::vector<std::pair<std::string, std::string>> headers;
};

// An error as every route tells it: {"error": {"code", "message", "where"}, "messages"}.
Response error_answer(int status, std::string_view code, const Message& message, std::string_view where = "");

// Whether an Accept-Encoding header allows gzip ("gzip;q=0" does not).
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace sightline::server
