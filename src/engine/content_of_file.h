// ContentOfFile: what the bytes of a capture are called (store/content_key.h), found out when it is
// first requested.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "formats/reader.h"
#include "store/content_key.h"

namespace sightline::engine {

// The file, or the files of the folder that the reader looks at now; a folder that is gone is its path alone.
SourceFiles source_of(const Reader& reader, const std::string& path);

// find_identity of the source. Of a folder that holds nothing to read, what changes when something comes into it.
Result<FileIdentity> find_identity_of_capture(const Reader& reader, const std::string& path);
std::optional<FileIdentity> identity_of_capture(const Reader& reader, const std::string& path);

struct ContentOfFile {
  std::mutex mutex;
  std::string path;
  const Reader* reader = nullptr;
  std::optional<FileIdentity> identity;  // before it was read; set before the capture is ready
  std::string key;                       // guarded by the mutex; empty: not known yet

  // The key. unavailable when the file was replaced after it was read.
  Result<std::string> find_key(const std::atomic<bool>& cancelled);

  bool unchanged() const { return identity && identity_of_capture(*reader, path) == identity; }
};

}  // namespace sightline::engine
