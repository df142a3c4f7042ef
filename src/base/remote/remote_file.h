// Objects in clouds as files: their bytes as a stream, what tells one version from another, and what is under a folder. A
// folder is what the clouds make of slashes in keys. Every request is retried a few times where the reason may pass, and given up
// after a time (docs/clouds.md); an Error says what, which object, why, and what to set. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/raw_file.h"
#include "base/result.h"

namespace sightline::base {

struct RemoteStatus {
  bool folder = false;
  std::int64_t size = 0;      // of an object, in bytes
  std::int64_t modified = 0;  // ns since 1970; 0: not known
  std::string version;        // changes whenever the object does: its etag, else its size and time
};

struct RemoteObject {
  std::string address;
  std::int64_t size = 0;
};

// not_found: nothing there; the message tells a missing bucket from a missing object.
Result<RemoteStatus> remote_status(const std::string& address);

// The objects under a folder: to any depth, or right in it. None where there is no such folder.
enum class RemoteDepth : std::uint8_t { all, one };
Result<std::vector<RemoteObject>> remote_objects(const std::string& address, RemoteDepth depth = RemoteDepth::all);

// The bytes of an object from its beginning; several requests run ahead of a reader that goes straight on. An object that is
// replaced while it is being read is an Error at its end.
Result<std::unique_ptr<RawFile>> open_remote(const std::string& address);

// The program is about to end: threads that wait for a cloud get an Error at once.
void give_up_remote();

// To be called last in main(): Arrow's S3 must be ended before the program's memory is taken down. Does not return when requests
// that were given up are still running.
void close_remote(int exit_code);

}  // namespace sightline::base
