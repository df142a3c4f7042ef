// The profile file of a rank in a lake: all columns as the cache stores them (store/profile_file.h), so that its timeline opens
// without the trace.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "fleet/manifest.h"
#include "model/profile.h"
#include "store/file_io.h"

namespace sightline::fleet {

// Writes it to this path in the lake. `about` is kept with it. Equal profiles give equal bytes.
Result<LakeFile> write_rank_profile(const Profile& profile, const Record& about, const std::string& lake,
                                    const std::string& path);

}  // namespace sightline::fleet
