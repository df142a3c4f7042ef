// MappedFile: a file of the cache in memory, read-only. While it is open the file is locked (shared), so that no
// program that makes room removes it; its bytes stay readable even when somebody removes it by name.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "store/file_io.h"

namespace sightline {

class MappedFile {
 public:
  // nullptr: not there, empty, somebody else's (another user's, or writable by others), or being removed.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_), size_}; }
  FileIdentity identity() const;  // as it is now

 private:
  MappedFile(int fd, void* address, std::size_t size) : fd_(fd), address_(address), size_(size) {}

  int fd_;
  void* address_;
  std::size_t size_;
};

}  // namespace sightline
