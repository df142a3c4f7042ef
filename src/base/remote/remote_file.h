// Objects in clouds as files: their bytes as a stream, their versions,
// and the objects in a folder. A folder is a prefix of keys that ends
// with a slash. A request is retried a few times when the cause may be
// temporary, and given up after a time (docs/clouds.md). An Error names
// the object, the cause, and the setting that may help. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/input_file.h"
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
  std::int64_t modified = 0;  // ns since 1970; 0: not known
};

// not_found: no object and no folder has this address; the message says whether the bucket or the object is missing.
Result<RemoteStatus> remote_status(const std::string& address);

// The objects in a folder, with or without those in folders below it. Empty when the folder does not exist.
enum class RemoteDepth : std::uint8_t { all, one };
Result<std::vector<RemoteObject>> remote_objects(const std::string& address, RemoteDepth depth = RemoteDepth::all);

// The bytes of an object from its beginning; several requests run ahead of a reader that goes straight on. An object that is
// replaced while it is being read is an Error at its end.
Result<std::unique_ptr<RawFile>> open_remote(const std::string& address);

// How often a cloud is checked for new objects, in seconds: SIGHTLINE_CLOUD_WATCH.
double remote_watch_seconds();

// The program is about to end: threads that wait for a cloud get an Error at once.
void give_up_remote();

// Call it last in main(): Arrow's S3 must end before
// static objects are destroyed. Does not return when
// requests that were given up are still running.
void close_remote(int exit_code);

}  // namespace sightline::base
