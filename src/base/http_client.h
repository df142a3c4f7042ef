// HttpClient: requests to one server, over http or https, on one connection
// that stays open. Certificates are checked against the system's. Redirects
// are not followed, so no other host receives the request.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::base {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpAnswer {
  int status = 0;
  HttpHeaders headers;
  std::string body;

  // The header with this name, upper or lower case; empty when the answer does not have it.
  std::string header(std::string_view name) const;
};

// An address as a person writes it, "http://host:1/below" -> "http://host:1" and "/below", without slashes at the end.
struct HttpAddress {
  std::string server;  // scheme, host and port
  std::string below;   // the path that all routes are below, or empty
};
Result<HttpAddress> parse_http_address(const std::string& url);

class HttpClient {
 public:
  // `server` is as parse_http_address gives it. `connect` and `answer` bound the two halves of a request.
  HttpClient(const std::string& server, std::chrono::milliseconds connect, std::chrono::milliseconds answer);
  ~HttpClient();

  void set_answer_limit(std::chrono::milliseconds limit);

  // Errors: `unavailable` when no server listens, `unreadable` when no HTTP answer comes in time, `cancelled` when `stop`
  // requested it. Other threads may only request a stop.
  Result<HttpAnswer> get(const std::string& path, const HttpHeaders& headers, const std::stop_token& stop = {});
  Result<HttpAnswer> post(const std::string& path, const HttpHeaders& headers, std::string body,
                          const std::stop_token& stop = {});

 private:
  class Connection;
  std::unique_ptr<Connection> connection_;
};

// Text as a query spells it: "a b&c" -> "a%20b%26c".
std::string percent_encoded(std::string_view text);

// The value of an Authorization header.
std::string basic_authorization(std::string_view user, std::string_view password);

}  // namespace sightline::base
