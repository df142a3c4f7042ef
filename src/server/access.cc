// Parsing hosts, then who may send requests.
#include "server/access.h"

#include <arpa/inet.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/text.h"

namespace sightline::server {

namespace {

constexpr std::size_t kLongestName = 253;  // of a name in DNS

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_'; }

// Empty when it is not a name.
std::string plain_name(std::string_view text) {
  std::string name(text.substr(0, kLongestName + 1));
  std::transform(name.begin(), name.end(), name.begin(), lower);
  return name.size() <= kLongestName && std::all_of(name.begin(), name.end(), in_name) ? name : "";
}

// Empty when it is not an address.
std::string ipv6_address(std::string_view text) {
  in6_addr address{};
  char spelled[INET6_ADDRSTRLEN];
  if (inet_pton(AF_INET6, std::string(text).c_str(), &address) != 1 || text.find('\0') != text.npos) return "";
  return inet_ntop(AF_INET6, &address, spelled, sizeof spelled) == nullptr ? "" : spelled;
}

bool is_port(std::string_view text) {
  const auto number = whole_number<std::uint16_t>(text);
  return number && *number > 0 && text.front() != '0';
}

}  // namespace

std::string canonical_host(std::string_view host) { return host.find(':') == host.npos ? plain_name(host) : ipv6_address(host); }

std::optional<Authority> parse_authority(std::string_view text) {
  Authority found;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return std::nullopt;
    found.host = ipv6_address(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
  } else {
    const std::size_t end = std::min(text.find(':'), text.size());
    found.host = plain_name(text.substr(0, end));
    text.remove_prefix(end);
  }
  if (found.host.empty()) return std::nullopt;
  if (text.empty()) return found;
  if (text.front() != ':' || !is_port(text.substr(1))) return std::nullopt;
  found.port = text.substr(1);
  return found;
}

std::optional<Authority> parse_origin(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (text.starts_with(scheme)) return parse_authority(text.substr(scheme.size()));
  }
  return std::nullopt;
}

namespace {

constexpr std::string_view kCookie = "sightline_token";  // and then the port
constexpr std::string_view kBearer = "Bearer ";
constexpr std::size_t kSecretBytes = 16;
constexpr std::chrono::minutes kOpensWithin{5};  // a browser can take long to start

std::string hex(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool listens_on_all(std::string_view host) { return host == "0.0.0.0" || host == "::"; }

// Any port is allowed: tunnels change it.
bool host_allowed(const Access& access, const Authority& requested) {
  if (requested.host == "localhost" || requested.host == "127.0.0.1" || requested.host == "::1") return true;
  // A machine has many names: if all its addresses are served, only the token decides.
  return requested.host == canonical_host(access.host) || (listens_on_all(access.host) && !access.token.empty());
}

// Whether a page of another origin made the request, according to the browser. Such a page may link to our page, but not reach
// a route of the API. "none" is a request that the user made; programs other than browsers do not send this header.
bool from_elsewhere(const Request& request) {
  const std::string& site = request.sec_fetch_site;
  if (site.empty() || site == "none" || site == "same-origin") return false;
  const bool opens_page = request.sec_fetch_mode == "navigate" && (request.method == "GET" || request.method == "HEAD");
  return !opens_page || request.path.starts_with("/api/");
}

// The time that this takes does not reveal where the texts differ.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() != b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  }
  return difference == 0;
}

std::string cookie_name(const Authority& server) { return std::string(kCookie) + (server.port.empty() ? "" : "_") + server.port; }

// HMAC-SHA256 of the cookie's name under the token, shortened; empty when it cannot be computed.
std::string cookie_value(const Access& access, const Authority& server) {
  const std::string name = cookie_name(server);
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
  const auto* bytes = reinterpret_cast<const unsigned char*>(name.data());
  if (HMAC(EVP_sha256(), access.token.data(), static_cast<int>(access.token.size()), bytes, name.size(), sum.data(), nullptr) ==
      nullptr) {
    return "";
  }
  return hex(std::span(sum).first(kSecretBytes));
}

// The values of the cookies of that name: there are several where they were set for several paths.
bool has_cookie(std::string_view cookies, std::string_view name, std::string_view value) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view cookie = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    cookie.remove_prefix(std::min(cookie.find_first_not_of(' '), cookie.size()));
    const std::size_t equals = cookie.find('=');
    if (equals != cookie.npos && cookie.substr(0, equals) == name && same_secret(cookie.substr(equals + 1), value)) return true;
  }
  return false;
}

bool token_matches(const Access& access, const Authority& server, const Request& request) {
  const std::string_view authorization = request.authorization;
  if (authorization.starts_with(kBearer) && same_secret(authorization.substr(kBearer.size()), access.token)) return true;
  if (token_in_query(access, request)) return true;
  const std::string value = cookie_value(access, server);
  return !value.empty() && has_cookie(request.cookie, cookie_name(server), value);
}

Message missing_token(const Authority& server, const Request& request) {
  const bool given = request.cookie.find(cookie_name(server) + "=") != std::string::npos || !request.authorization.empty() ||
                     !request.parameter("token").empty();
  return given ? say("this is not the token of this server: open the address that it printed when it started")
               : say("a token is required: open the address that the program printed");
}

}  // namespace

OneTimeToken::OneTimeToken(std::string token) : token_(std::move(token)), end_(std::chrono::steady_clock::now() + kOpensWithin) {}

bool OneTimeToken::take(std::string_view given) {
  const std::lock_guard lock(mutex_);
  if (token_.empty() || !same_secret(given, token_)) return false;
  token_.clear();
  return std::chrono::steady_clock::now() < end_;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos);
}

std::optional<Refusal> refusal(const Access& access, const Request& request) {
  const std::optional<Authority> server = parse_authority(request.host);
  if (!server) return Refusal{say("the request has no Host header that names one host: '{}'", request.host)};
  if (!host_allowed(access, *server)) {
    return Refusal{say("the Host header names '{}', which is not this server; use localhost, or --host", request.host)};
  }
  if (!request.origin.empty() && parse_origin(request.origin) != server) {
    return Refusal{say("the request comes from a page of another site: {}", request.origin)};
  }
  if (from_elsewhere(request)) return Refusal{"the request comes from a page of another site"};
  if (!access.token.empty() && !token_matches(access, *server, request)) {
    return Refusal{missing_token(*server, request), true};
  }
  return std::nullopt;
}

bool token_in_query(const Access& access, const Request& request) {
  return !access.token.empty() && same_secret(request.parameter("token"), access.token);
}

std::string token_cookie(const Access& access, const Request& request) {
  const std::optional<Authority> server = parse_authority(request.host);
  if (!server) return "";
  return cookie_name(*server) + "=" + cookie_value(access, *server) + "; Path=/; HttpOnly; SameSite=Lax";
}

Result<std::string> new_token() {
  std::array<unsigned char, kSecretBytes> bytes{};
  ssize_t got = 0;
  do {
    got = getrandom(bytes.data(), bytes.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(bytes.size())) return hex(bytes);
  return Error{ErrorCode::unavailable, say("the system has no random numbers for a token: {}", std::strerror(errno)), ""};
}

}  // namespace sightline::server
