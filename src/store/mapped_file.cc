// Locking, and mapping where the system tells of a change before it happens; else reading.
#include "store/mapped_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "store/file_leases.h"

namespace sightline::store {

namespace {

// What the file holds now; less when it is being cut.
std::size_t read_all(int fd, char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(fd, to + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

// A copy of the file in memory of our own; null when there is no memory, or the file is being cut.
void* copy_of(int fd, std::size_t size) {
  void* copy = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return nullptr;
  if (read_all(fd, static_cast<char*>(copy), size) == size && ::mprotect(copy, size, PROT_READ) == 0) return copy;
  ::munmap(copy, size);
  return nullptr;
}

// Null when the file is not one of ours, or cannot be held.
void* hold(int fd, std::size_t& size) {
  struct stat status {};
  const bool leased = lease_file(fd);  // before its size is requested, which does not change from then on
  const bool ours = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_uid == ::geteuid() &&
                    (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (!ours || ::flock(fd, LOCK_SH | LOCK_NB) != 0) return nullptr;
  size = static_cast<std::size_t>(status.st_size);
  return leased ? map_leased(fd, size) : copy_of(fd, size);
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  std::size_t size = 0;
  const void* address = hold(fd, size);
  if (address == nullptr) {
    ::close(fd);
    return nullptr;
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(fd, {static_cast<const std::byte*>(address), size}));
}

MappedFile::~MappedFile() {
  forget_lease(fd_);
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  ::close(fd_);
}

FileIdentity MappedFile::identity() const { return identity_of(fd_).value_or(FileIdentity{}); }

}  // namespace sightline::store
