// A host with its port, as the Host header and an Origin spell it. The parsers are strict: a text that a lenient one would cut
// short, such as "[::1]evil.example" or "localhost:80@evil.example", is refused, and so are two hosts in one header.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sightline::server {

struct Authority {
  std::string host;  // lower case; an IPv6 address without its brackets, in its shortest spelling
  std::string port;  // decimal, 1 to 65535; empty: no port is given

  friend bool operator==(const Authority&, const Authority&) = default;
};

// "localhost:3001", "[::1]", "gpu7.example". A name is made of letters, digits and - . _
std::optional<Authority> parse_authority(std::string_view text);

// The authority of "http://localhost:3001" or "https://gpu7"; nullopt for other schemes, for "null", and when a path follows.
std::optional<Authority> parse_origin(std::string_view text);

// A host without a port, as --host has it ("::1", "localhost"), spelled like Authority::host; empty when it is not a host.
std::string canonical_host(std::string_view host);

}  // namespace sightline::server
