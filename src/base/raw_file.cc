// Files on disk, over a descriptor; what is remote is base/remote's.
#include "base/raw_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"

namespace sightline::base {

namespace {

class DiskFile final : public RawFile {
 public:
  DiskFile(int fd, std::int64_t size, std::string path) : fd_(fd), size_(size), path_(std::move(path)) {}
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;
  ~DiskFile() override { ::close(fd_); }

  Result<std::size_t> read(char* to, std::size_t size) override {
    std::size_t got = 0;
    while (got < size) {
      const ssize_t n = ::read(fd_, to + got, size - got);
      if (n == 0) break;
      if (n < 0) {
        if (errno == EINTR) continue;
        return Error{ErrorCode::unreadable, std::strerror(errno), path_ + ":" + std::to_string(position_)};
      }
      got += static_cast<std::size_t>(n);
      position_ += n;
    }
    return got;
  }

  bool seek(std::int64_t position) override {
    if (::lseek(fd_, position, SEEK_SET) < 0) return false;
    position_ = position;
    return true;
  }

  std::int64_t position() const override { return position_; }
  std::int64_t size() const override { return size_; }
  const std::string& path() const override { return path_; }

 private:
  const int fd_;
  const std::int64_t size_;
  std::int64_t position_ = 0;
  const std::string path_;
};

}  // namespace

Result<std::unique_ptr<RawFile>> open_raw(const std::string& path) {
  if (is_remote(path)) return open_remote(path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::not_found : ErrorCode::unreadable;
    return Error{code, std::strerror(errno), path};
  }
  struct stat status {};
  ::fstat(fd, &status);
  auto file = std::make_unique<DiskFile>(fd, status.st_size, path);
  if (S_ISDIR(status.st_mode)) return Error{ErrorCode::unreadable, "is a directory", path};
  return std::unique_ptr<RawFile>(std::move(file));
}

}  // namespace sightline::base
