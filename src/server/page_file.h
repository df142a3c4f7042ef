// The page as one file that needs no server: the page itself with what the server would answer to it, for one profile or several.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"

namespace sightline::server {

// What is in the file: every view with its own parameters and, one at a time, each choice that a parameter has; long tables by
// their first rows; the timeline by levels, down to single slices while they fit. The page says what the file lacks. REQUIRES:
// the profiles are loaded, and the engine builds timelines.
Result<bool> write_page_file(const Engine& engine, const std::vector<ProfileSelector>& profiles,
                             const std::function<bool(std::string_view)>& write);

}  // namespace sightline::server
