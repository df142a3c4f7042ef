// Access control. A page on another site can make a browser send requests to a local server, and other users of the machine can
// connect to its port. So a request must name this server as its Host (a rebound DNS name does not), must come from this server's
// own page according to its Origin and Sec-Fetch-Site, and must carry the server's token. Hosts are parsed strictly: a text that
// a lenient parser would shorten, such as "[::1]evil.example" or "localhost:80@evil.example", is refused, and so are two hosts in
// one header.
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

// A host with its port, as the Host header and an Origin spell it.
struct Authority {
  std::string host;  // lower case; an IPv6 address without its brackets, in its shortest spelling
  std::string port;  // decimal, 1 to 65535; empty: no port is given

  friend bool operator==(const Authority&, const Authority&) = default;
};

// "localhost:3001", "[::1]", "gpu7.example". A name consists of letters, digits and - . _
std::optional<Authority> parse_authority(std::string_view text);

// The authority of "http://localhost:3001" or "https://gpu7"; nullopt for other schemes, for "null", and when a path follows.
std::optional<Authority> parse_origin(std::string_view text);

// A host without a port, as --host has it ("::1", "localhost"), spelled like Authority::host; empty when it is not a host.
std::string canonical_host(std::string_view host);

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
  std::shared_ptr<OneTimeToken> once = {};  // for the browser that the program opens; null: it opens none
};

struct Refusal {
  Message why;
  bool for_want_of_token = false;  // with the token, the request would be answered
};

// Why the request is refused, or nullopt when it may be answered.
std::optional<Refusal> refusal(const Access& access, const Request& request);

// Whether the query of the request holds the right token.
bool token_in_query(const Access& access, const Request& request);

// The Set-Cookie with which a browser sends the token from then on. Browsers keep cookies by host only, and send them to all its
// ports. So the name holds the port of the request's Host, which is the port that the browser sees, also through a tunnel; the
// value is derived from the token and that port, and does not reveal the token. "" when the Host is not valid.
std::string token_cookie(const Access& access, const Request& request);

// "localhost", 127.0.0.0/8 or ::1.
bool is_loopback(std::string_view host);

// 32 hexadecimal digits from the system's random source; unavailable when that fails.
Result<std::string> new_token();

}  // namespace sightline::server
