// Strict parsing of hosts and ports.
#include "server/authority.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>

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

}  // namespace sightline::server
