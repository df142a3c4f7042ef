// A hash of the sources that determine the columns of a profile: cmake/source_fingerprint.cmake hashes base, model,
// formats and store when the program is built. So columns that other code wrote are never used,
// without a version number that someone has to increase.
#pragma once

namespace sightline::store {

const char* source_fingerprint();

}  // namespace sightline::store
