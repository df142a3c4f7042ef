// The sources that decide what a profile's columns hold, as one number: cmake/source_fingerprint.cmake hashes base,
// model, readers and store when the program is built. Columns written by other code are thus never taken for ours,
// without anybody having to remember to count a version up.
#pragma once

namespace sightline {

const char* source_fingerprint();

}  // namespace sightline
