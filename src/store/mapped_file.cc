// Leases and locks on files of the cache: a file is mapped when the system announces a change before it happens, else it is read.
#include "store/mapped_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

namespace sightline::store {

namespace {

// ---- leases ----
// The system kills a program that reads a page of a mapped file after the file was truncated (SIGBUS). With a lease (see
// fcntl(2)), a process that truncates the file or opens it for writing waits until the holder of the lease is notified and
// releases it. The signal wakes a thread. It replaces the mapping by a copy of the bytes in our own memory, so threads that read
// them notice nothing.

int wake_pipe[2] = {-1, -1};  // the signal's handler writes, the thread reads

void wake(int) {
  const int before = errno;
  [[maybe_unused]] const ssize_t written = ::write(wake_pipe[1], "", 1);
  errno = before;
}

class Leases {
 public:
  // False when no thread can be notified about the end of a lease.
  bool begin() {
    if (::pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return false;
    ::fcntl(wake_pipe[0], F_SETFL, 0);  // the reader waits
    struct sigaction action {};
    action.sa_handler = wake;
    action.sa_flags = SA_RESTART;
    if (::sigaction(SIGIO, &action, nullptr) != 0) return false;
    try {
      std::thread([this] { serve(); }).detach();
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void* map(int fd, std::size_t size) {
    const std::lock_guard lock(mutex_);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (address == MAP_FAILED) return nullptr;
    mapped_[fd] = {address, size};
    if (is_to_end(fd)) end(fd);  // the signal came before the mapping was registered
    return address;
  }

  void forget(int fd) {
    const std::lock_guard lock(mutex_);
    mapped_.erase(fd);
  }

 private:
  struct Mapped {
    void* address;
    std::size_t size;
  };

  static bool is_to_end(int fd) { return ::fcntl(fd, F_GETLEASE) != F_RDLCK; }

  // Without memory for a copy, the lease stays until the system ends it.
  void end(int fd) {
    const Mapped of = mapped_.at(fd);
    void* copy = ::mmap(nullptr, of.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return;
    std::memcpy(copy, of.address, of.size);
    ::mprotect(copy, of.size, PROT_READ);
    ::mremap(copy, of.size, of.size, MREMAP_MAYMOVE | MREMAP_FIXED, of.address);  // at once, for threads that read there
    mapped_.erase(fd);
    ::fcntl(fd, F_SETLEASE, F_UNLCK);
  }

  void serve() {
    char ignored[64];
    while (::read(wake_pipe[0], ignored, sizeof ignored) > 0 || errno == EINTR) {
      const std::lock_guard lock(mutex_);
      for (auto at = mapped_.begin(); at != mapped_.end();) {
        const int fd = (at++)->first;
        if (is_to_end(fd)) end(fd);
      }
    }
  }

  std::mutex mutex_;
  std::map<int, Mapped> mapped_;  // files with a lease, by file descriptor
};

// Null if no thread can be notified about the end of a lease. It lives as long as the program, like its thread.
Leases* leases() {
  static Leases* const all = [] {
    auto* made = new Leases;
    return made->begin() ? made : nullptr;
  }();
  return all;
}

// False when the system gives no lease: a process has the file open for writing, its file system has no leases, or it belongs to
// another user.
bool lease_file(int fd) {
  return leases() != nullptr && ::fcntl(fd, F_SETOWN, ::getpid()) == 0 && ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
}

// Maps a file with a lease, for reading; null when that fails. REQUIRES: forget_lease before munmap and close.
void* map_leased(int fd, std::size_t size) { return leases()->map(fd, size); }

// Does nothing for a file without a lease.
void forget_lease(int fd) {
  if (leases() != nullptr) leases()->forget(fd);
}

// ---- files ----

// Reads the file's present bytes; fewer when it is being truncated.
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

// A copy of the file in our own memory; null when the memory is full, or the file is being truncated.
void* copy_of(int fd, std::size_t size) {
  void* copy = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return nullptr;
  if (read_all(fd, static_cast<char*>(copy), size) == size && ::mprotect(copy, size, PROT_READ) == 0) return copy;
  ::munmap(copy, size);
  return nullptr;
}

// Null when the file is not ours, or cannot be locked or read.
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
