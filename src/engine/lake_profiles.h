// The profile files that open lakes have of traces (docs/fleet.md): a rank's timeline without its trace.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "engine/catalogue.h"
#include "engine/loader.h"

namespace sightline::engine {

// Brings the file that an open lake names for the trace at `path` (ranks.source, ranks.profile) into the cache; returns its key
// there. nullopt: no lake names one. An error: it cannot be used.
std::optional<Result<std::string>> profile_in_lakes(const Catalogue& catalogue, Loader& loader, ProfileCache& cache,
                                                    const std::string& path);

}  // namespace sightline::engine
