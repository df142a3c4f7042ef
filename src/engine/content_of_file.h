// ContentOfFile: what the bytes of a capture's file are called (content_key in store/checksum.h), found out when it
// is first asked for. A capture that is a folder is known by the names, sizes and times of the files in it and in the
// folders right below: they can be many gigabytes, and its profile is not kept in the cache.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/file_io.h"

namespace sightline {

// find_identity of a file; of a folder, of all files that count for it: their sizes added up, and the latest of their times.
Result<FileIdentity> find_identity_of_capture(const std::string& path);
std::optional<FileIdentity> identity_of_capture(const std::string& path);

struct ContentOfFile {
  std::mutex mutex;
  std::string path;
  std::optional<FileIdentity> identity;  // before it was read; set before the capture is ready
  std::string key;                       // guarded by the mutex; empty: not known yet

  // The key. unavailable when the file is no longer the one that was read.
  Result<std::string> find_key(const std::atomic<bool>& cancelled);

  bool unchanged() const { return identity && identity_of_capture(path) == identity; }
};

}  // namespace sightline
