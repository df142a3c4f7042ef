// Mapping and locking.
#include "store/mapped_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sightline {

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  struct stat status {};
  const bool ours = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_uid == ::geteuid() &&
                    (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = MAP_FAILED;
  if (ours && ::flock(fd, LOCK_SH | LOCK_NB) == 0) address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) {
    ::close(fd);
    return nullptr;
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(fd, address, size));
}

MappedFile::~MappedFile() {
  ::munmap(address_, size_);
  ::close(fd_);
}

FileIdentity MappedFile::identity() const { return identity_of(fd_).value_or(FileIdentity{}); }

}  // namespace sightline
