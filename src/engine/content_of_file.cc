// Hashing a file that must not have changed since it was read.
#include "engine/content_of_file.h"

#include "store/checksum.h"

namespace sightline {

Result<std::string> ContentOfFile::find_key(const std::atomic<bool>& cancelled) {
  const std::lock_guard lock(mutex);
  if (!key.empty()) return key;
  const Error changed{ErrorCode::unavailable, "the file has changed since it was read", path};
  if (!unchanged()) return changed;
  Result<std::string> found = content_key(path, cancelled);
  if (!found) return found;
  if (!unchanged()) return changed;
  key = *found;
  return found;
}

}  // namespace sightline
