// Profile files that others wrote, such as those of a lake: their bytes are not trusted. A checksum only says that a file is
// as its writer left it, so each value that the program relies on is checked as well, before the columns are in the cache.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "model/profile.h"
#include "store/profile_cache.h"

namespace sightline::store {

// Why the program cannot rely on the columns; empty: it can. Builds the pool of strings anew, because its slots are not trusted.
std::string fault_of_outside_profile(Profile& profile);

// Copies a profile file, on disk or in a cloud, into the cache, unless its content is there; returns its key, that of the file's
// content. `about` gives the record to keep from the one in the file. not_found: there is no such file; unsupported: another
// version of the program wrote it; malformed: it is damaged; unavailable: it is larger than the cache may be.
Result<std::string> keep_outside_profile(ProfileCache& cache, const std::string& path,
                                         const std::function<Result<Record>(const Record&)>& about);

}  // namespace sightline::store
