// The signal of a lease that is to end wakes a thread, which checks for each lease whether it is that one.
#include "store/file_leases.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

namespace sightline::store {

namespace {

int wake_pipe[2] = {-1, -1};  // the signal's handler writes, the thread reads

void wake(int) {
  const int before = errno;
  [[maybe_unused]] const ssize_t written = ::write(wake_pipe[1], "", 1);
  errno = before;
}

class Leases {
 public:
  // False when no thread can be notified that a lease is to end.
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
    if (is_to_end(fd)) end(fd);  // it already was, before its bytes were registered
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

  // Without memory for the copy the lease stays until the system takes it, and with it the last chance of a copy.
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
  std::map<int, Mapped> mapped_;  // by file descriptor: those whose lease we hold
};

// Null if no thread can be notified that a lease is to end. It lives as long as the program, since its thread does.
Leases* leases() {
  static Leases* const all = [] {
    auto* made = new Leases;
    return made->begin() ? made : nullptr;
  }();
  return all;
}

}  // namespace

bool lease_file(int fd) {
  return leases() != nullptr && ::fcntl(fd, F_SETOWN, ::getpid()) == 0 && ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
}

void* map_leased(int fd, std::size_t size) { return leases()->map(fd, size); }

void forget_lease(int fd) {
  if (leases() != nullptr) leases()->forget(fd);
}

}  // namespace sightline::store
