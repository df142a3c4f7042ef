// profiler_info*.json and profiler_metadata.json: how the recording was set up, the rank, and what groups of ranks are called.
#pragma once

#include <string>

#include "model/profile.h"

namespace sightline::ascend {

// Fills rank and metadata: every leaf under its path, such as "config.common_config.with_stack".
void add_profiler_info(const std::string& path, Profile& profile);

// Adds metadata and the size of the job, and names the groups of collectives. REQUIRES: name_groups.
void add_profiler_metadata(const std::string& path, Profile& profile);

}  // namespace sightline::ascend
