// Who may ask. A page on another site can make a browser send requests to a local server: so a request must name
// this server as its Host (a rebound DNS name does not), and a request that tells its Origin must come from this
// server's own page. Beyond loopback a secret token is required as well.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/message.h"

namespace sightline {

struct Access {
  std::string host;   // what the server listens on
  std::string token;  // empty: none is asked for
};

// Why the request is refused, or nullopt when it may be answered.
std::optional<std::string> refusal(const Access& access, const Request& request);

// Whether the request brought the right token in its query, so that the answer sets the cookie.
bool token_in_query(const Access& access, const Request& request);

// The cookie by which a browser brings the token from then on. Browsers keep cookies by the host alone: its name holds the port,
// so that two servers of a host do not take each other's away.
std::string token_cookie(const Access& access, const Request& request);

// "localhost", 127.0.0.0/8 or ::1.
bool is_loopback(std::string_view host);

// 32 hexadecimal digits from the system's random source.
std::string new_token();

}  // namespace sightline
