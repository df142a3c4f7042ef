// The files that are right in a folder, on disk or in a cloud.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::base {

// Full paths, sorted; none when there is no such folder. On disk links are followed. unreadable: it cannot be looked into.
Result<std::vector<std::string>> files_in_folder(const std::string& folder);

}  // namespace sightline::base
