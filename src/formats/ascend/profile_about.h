// profiler_info*.json and profiler_metadata.json: how the recording was set up, the rank, and what groups of ranks are called. A
// file of more than `most_json` bytes is not read: a problem.
#pragma once

#include <string>

#include "model/profile.h"

namespace sightline::formats::ascend {

// Fills rank and metadata: every leaf under its path, such as "config.common_config.with_stack".
void add_profiler_info(const std::string& path, std::size_t most_json, Profile& profile);

// Adds metadata and the size of the job, and names the groups of collectives. REQUIRES: name_groups.
void add_profiler_metadata(const std::string& path, std::size_t most_json, Profile& profile);

}  // namespace sightline::formats::ascend
