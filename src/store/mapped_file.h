// MappedFile: a file of the cache in memory, read-only. While it is open, the file has a shared lock, so no program removes it
// to make room.
// Its bytes stay readable and unchanged, even when another program removes it, truncates it or writes into it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "store/file_io.h"

namespace sightline::store {

class MappedFile {
 public:
  // nullptr: the file does not exist, is empty, belongs to
  // another user, is writable by others, or is being removed;
  // or it cannot be mapped and is too large for the memory.
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
