// ContentOfFile: what the bytes of a capture's file are called (content_key in store/checksum.h), found out when it
// is first asked for.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/file_io.h"

namespace sightline {

struct ContentOfFile {
  std::mutex mutex;
  std::string path;
  std::optional<FileIdentity> identity;  // before it was read; set before the capture is ready
  std::string key;                       // guarded by the mutex; empty: not known yet

  // The key. unavailable when the file is no longer the one that was read.
  Result<std::string> find_key(const std::atomic<bool>& cancelled);

  bool unchanged() const { return identity && identity_of(path) == identity; }
};

}  // namespace sightline
