// TemporaryFile: bytes as a file that vanishes, for tests of readers, which take paths.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace sightline::tests {

// The file lives in memory; open it by path() as often as you like while the object lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) : fd_(::memfd_create("test", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written <= 0) std::abort();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~TemporaryFile() { ::close(fd_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace sightline::tests
