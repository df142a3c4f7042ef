// MappedFile: a file of the cache in memory, read-only. While it is open the file is locked (shared), so that no
// program that makes room removes it; its bytes stay readable, and stay what they were, even when it is removed by
// name, cuts it or writes into it (see file_leases.h).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "store/file_io.h"

namespace sightline::store {

class MappedFile {
 public:
  // nullptr: not there, empty, not ours (another user's, or writable by others), being removed, or too large for the
  // memory there is where it cannot be mapped.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  FileIdentity identity() const;  // as it is now

 private:
  MappedFile(int fd, std::span<const std::byte> bytes) : fd_(fd), bytes_(bytes) {}

  int fd_;
  std::span<const std::byte> bytes_;
};

}  // namespace sightline::store
