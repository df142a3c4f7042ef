// The sources that decide what a profile's columns hold, as one number: cmake/source_fingerprint.cmake hashes base,
// model, readers and store when the program is built. Columns written by other code are thus never taken for ours,
// without a version number that someone has to increase.
#pragma once

namespace sightline::store {

const char* source_fingerprint();

}  // namespace sightline::store
