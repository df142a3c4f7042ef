// The name that a profile has by its content: the same wherever its files are and whatever they are called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"

namespace sightline::engine {

// "n_" and 40 hexadecimal digits, of a content key (store/content_key.h).
std::string profile_name(std::string_view content_key);

// The name of the profile that the selector names; its file is hashed when it was not yet.
Result<std::string> profile_name(const Engine& engine, const ProfileSelector& selector);

// The profile of that name among those that are ready, if there is one.
std::optional<ProfileSelector> profile_named(const Engine& engine, std::string_view name);

// A text as a part of a query: what could end it or mean something else there is escaped.
std::string query_escaped(std::string_view text);

// The page's address of a profile, below that of the page itself: "?run=...&worker=...&span=...".
std::string place_query(const ProfileSelector& selector);

}  // namespace sightline::engine
