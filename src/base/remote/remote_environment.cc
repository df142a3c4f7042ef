// Variables and endpoints as text.
#include "base/remote/remote_environment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>

namespace sightline::base {

namespace {

constexpr double kWatchSeconds = 30;

}  // namespace

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_set(const char* name) { return !variable(name).empty(); }

bool variable_says(const char* name, bool otherwise) {
  std::string value = variable(name);
  std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto is_one_of = [&](const std::array<const char*, 4>& words) {
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return value == word; });
  };
  if (is_one_of({"0", "false", "no", "off"})) return false;
  return is_one_of({"1", "true", "yes", "on"}) || otherwise;
}

double variable_seconds(const char* name, double otherwise) {
  const std::string value = variable(name);
  char* end = nullptr;
  const double seconds = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == '\0' && seconds > 0 && seconds < 1e6 ? seconds : otherwise;
}

double remote_watch_seconds() { return variable_seconds("SIGHTLINE_CLOUD_WATCH", kWatchSeconds); }

std::string certificate_file() {
  for (const char* name : {"AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
    if (is_set(name)) return variable(name);
  }
  for (const char* path : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                           "/etc/ssl/cert.pem"}) {
    std::error_code failed;
    if (std::filesystem::exists(path, failed)) return path;
  }
  return {};
}

Endpoint parse_endpoint(const std::string& text) {
  Endpoint made;
  std::string rest = text;
  if (const std::size_t end = rest.find("://"); end != std::string::npos) {
    made.scheme = rest.substr(0, end);
    rest.erase(0, end + 3);
  }
  made.authority = rest.substr(0, rest.find('/'));
  if (made.authority.size() < rest.size()) made.path = rest.substr(made.authority.size() + 1);
  while (made.path.ends_with('/')) made.path.pop_back();
  return made;
}

}  // namespace sightline::base
