// The sources that compute what the cache keeps beside a profile's columns, as one number: cmake/source_fingerprint.cmake hashes
// analyses, timeline, sql and engine when the program is built.
#pragma once

namespace sightline::engine {

const char* derived_fingerprint();

}  // namespace sightline::engine
