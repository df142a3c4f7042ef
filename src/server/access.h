// Access control. A page on another site can make a browser send requests to a local server, and other users of the machine reach
// its port. So a request must name this server as its Host (a rebound DNS name does not), must come from this server's own page
// as far as its Origin and Sec-Fetch-Site tell, and must carry the server's token.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "server/message.h"

namespace sightline::server {

// A token that opens the page once, within some minutes: for the address on the command line of a browser, which every user of
// the machine can see. Thread-safe.
class OneTimeToken {
 public:
  explicit OneTimeToken(std::string token);

  // Whether `given` is the token, is in time and was not taken before.
  bool take(std::string_view given);

 private:
  std::mutex mutex_;
  std::string token_;  // empty: taken
  std::chrono::steady_clock::time_point end_;
};

struct Access {
  std::string host;                         // what the server listens on
  std::string token;                        // empty: none is requested
  std::string see_address = {};             // the command that writes the server's address once more; empty: no command does
  std::shared_ptr<OneTimeToken> once = {};  // of the browser that the program opens; null: it opens none
};

struct Refusal {
  std::string why;
  bool for_want_of_token = false;  // the same request with the token would be answered
};

// Why the request is refused, or nullopt when it may be answered.
std::optional<Refusal> refusal(const Access& access, const Request& request);

// Whether the request brought the right token in its query.
bool token_in_query(const Access& access, const Request& request);

// The Set-Cookie by which a browser brings the token from then on. Browsers keep cookies by the host alone, and send them to
// every port of it. So the name holds the port of the request's Host, which is the port that the browser sees, through a tunnel
// as well; the value is derived from the token and that port, and does not reveal the token. "" when the Host is not valid.
std::string token_cookie(const Access& access, const Request& request);

// "localhost", 127.0.0.0/8 or ::1.
bool is_loopback(std::string_view host);

// 32 hexadecimal digits from the system's random source; unavailable when that gives none.
Result<std::string> new_token();

}  // namespace sightline::server
