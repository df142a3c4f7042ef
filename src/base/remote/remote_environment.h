// What the user's environment says, for all clouds alike; docs/clouds.md lists every variable.
#pragma once

#include <string>

#include "base/layers.h"

namespace sightline::base {

// A variable of the environment; empty when it is not set.
std::string variable(const char* name);
bool is_set(const char* name);

// "0", "false", "no", "off" are false and "1", "true", "yes", "on" are true; `otherwise` when it is not set or says neither.
bool variable_says(const char* name, bool otherwise);

// A number of seconds more than 0; `otherwise` when it is not set or not such a number.
double variable_seconds(const char* name, double otherwise);

// How often a cloud is checked for new objects: SIGHTLINE_CLOUD_WATCH.
double remote_watch_seconds();

// The user's trusted certificates: a file named by the environment, or where the distributions have theirs; may be empty.
std::string certificate_file();

// "http://host:port/rest" taken apart; the scheme is empty when there is none.
struct Endpoint {
  std::string scheme;
  std::string authority;
  std::string path;
};
Endpoint parse_endpoint(const std::string& text);

}  // namespace sightline::base
