// The environment names the folder; nothing is made here.
#include "store/cache_folder.h"

#include <cstdlib>

namespace sightline {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string cache_folder() {
  if (const std::string folder = variable("SIGHTLINE_CACHE_DIR"); !folder.empty()) return folder;
  if (const std::string folder = variable("XDG_CACHE_HOME"); folder.starts_with('/')) return folder + "/sightline";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/sightline";
  return "";
}

}  // namespace sightline
