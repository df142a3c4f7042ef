// Names from content keys: the 32 digits of the content's hash, and eight that cover its size as well.
#include "engine/profile_name.h"

#include <fmt/core.h>

#include "store/content_key.h"

namespace sightline::engine {

namespace {

constexpr std::size_t kHashDigits = 32;
constexpr std::size_t kMoreDigits = 8;

}  // namespace

std::string query_escaped(std::string_view text) {
  constexpr std::string_view kPlain = "-_.~/:,@[]";
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || kPlain.find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string profile_name(std::string_view content_key) {
  return "n_" + std::string(content_key.substr(0, kHashDigits)) + hex(checksum(content_key)).substr(0, kMoreDigits);
}

Result<std::string> profile_name(const Engine& engine, const ProfileSelector& selector) {
  const Result<std::string> key = engine.content_key(selector);
  if (!key) return key.error();
  return profile_name(*key);
}

std::optional<ProfileSelector> profile_named(const Engine& engine, std::string_view name) {
  for (const CaptureState& capture : engine.state()) {
    if (capture.status != LoadStatus::ready) continue;
    const ProfileSelector selector{capture.run, capture.worker, capture.span};
    const Result<std::string> known = profile_name(engine, selector);
    if (known && *known == name) return selector;
  }
  return std::nullopt;
}

std::string place_query(const ProfileSelector& selector) {
  return "?run=" + query_escaped(selector.run) + "&worker=" + query_escaped(selector.worker) +
         "&span=" + query_escaped(selector.span);
}

}  // namespace sightline::engine
