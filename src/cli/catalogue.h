// What ingest, list and remove say of the profiles in the cache.
#pragma once

#include <string>
#include <vector>

#include "store/profile_cache.h"

namespace sightline::cli {

// One row or object per profile: what it is called, how long, when it was read and used, where it came from.
std::string catalogue_text(const std::vector<CatalogueEntry>& entries);
std::string catalogue_json(const std::vector<CatalogueEntry>& entries);

}  // namespace sightline::cli
