// Checking Host, Origin and token.
#include "server/access.h"

#include <sys/random.h>

#include <algorithm>
#include <array>

#include "base/check.h"

namespace sightline {

namespace {

constexpr std::string_view kCookie = "sightline_token";  // and then the port
constexpr std::string_view kBearer = "Bearer ";

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

// "[::1]:3001" -> "::1", "localhost:3001" -> "localhost". The port is free: tunnels change it.
std::string host_name(std::string_view host) {
  if (host.starts_with('[')) return lower(host.substr(1, host.find(']') - 1));
  return lower(host.substr(0, host.find(':')));
}

bool listens_on_all(std::string_view host) { return host == "0.0.0.0" || host == "::"; }

bool host_allowed(const Access& access, const std::string& header) {
  if (header.empty()) return false;
  const std::string name = host_name(header);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1") return true;
  // A machine has many names: where all its addresses are served, the token alone decides.
  return name == lower(access.host) || (listens_on_all(access.host) && !access.token.empty());
}

// The time taken tells nothing of where the texts differ.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() != b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  }
  return difference == 0;
}

bool cookie_matches(std::string_view cookies, std::string_view token) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view cookie = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    cookie.remove_prefix(std::min(cookie.find_first_not_of(' '), cookie.size()));
    const std::size_t equals = cookie.find('=');
    if (equals != std::string_view::npos && cookie.substr(0, equals).starts_with(kCookie) &&
        same_secret(cookie.substr(equals + 1), token)) {
      return true;
    }
  }
  return false;
}

bool token_matches(const Access& access, const Request& request) {
  const std::string_view authorization = request.authorization;
  if (authorization.starts_with(kBearer) && same_secret(authorization.substr(kBearer.size()), access.token)) return true;
  return cookie_matches(request.cookie, access.token) || token_in_query(access, request);
}

}  // namespace

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos);
}

std::optional<std::string> refusal(const Access& access, const Request& request) {
  if (!host_allowed(access, request.host)) {
    return "the Host header names '" + request.host + "', which is not this server; use localhost, or --host";
  }
  if (!request.origin.empty() && request.origin != "http://" + request.host && request.origin != "https://" + request.host) {
    return "the request comes from a page of another site: " + request.origin;
  }
  if (!access.token.empty() && !token_matches(access, request)) {
    const bool given = request.cookie.find(kCookie) != std::string::npos || !request.authorization.empty() ||
                       !request.parameter("token").empty();
    return given ? "this is not the token of this server: open the address that it printed when it started"
                 : "a token is required: open the address that the program printed";
  }
  return std::nullopt;
}

bool token_in_query(const Access& access, const Request& request) {
  return !access.token.empty() && same_secret(request.parameter("token"), access.token);
}

std::string token_cookie(const Access& access, const Request& request) {
  const std::string_view host = request.host;
  const std::size_t colon = host.rfind(':');
  std::string_view port = colon == std::string_view::npos ? "" : host.substr(colon + 1);
  if (port.find_first_not_of("0123456789") != std::string_view::npos) port = "";
  return std::string(kCookie) + (port.empty() ? "" : "_") + std::string(port) + "=" + access.token +
         "; Path=/; HttpOnly; SameSite=Lax";
}

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  CHECK(getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kDigits[byte >> 4];
    token += kDigits[byte & 15];
  }
  return token;
}

}  // namespace sightline
