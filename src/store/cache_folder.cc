// The environment names the folder; nothing is made here.
#include "store/cache_folder.h"

#include <charconv>
#include <cstdlib>

namespace sightline::store {

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

std::optional<std::int64_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  std::int64_t size = 0;
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (failed != std::errc() || size < 0) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.empty()) return size;
  const std::size_t power = kUnits.find(unit[0]);
  if (unit.size() > 1 || power == std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) {
    if (size > std::int64_t{9'000'000'000'000'000}) return std::nullopt;
    size *= 1000;
  }
  return size;
}

}  // namespace sightline::store
