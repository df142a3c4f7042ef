// Uses system calls directly, because the error message needs their reasons.
#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sightline::base {

namespace {

constexpr std::size_t kPiece = std::size_t{16} << 20;

}  // namespace

Error file_error(const char* what, int reason, const std::string& path) {
  return {ErrorCode::unreadable, say("{}: {}", what, std::strerror(reason)), path};
}

Result<OutputFile> OutputFile::create(const std::string& path) {
  struct stat status {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) return file_error("cannot be written", EISDIR, path);
  const bool in_place = there && !S_ISREG(status.st_mode);
  const std::string made = in_place ? "" : path + "." + std::to_string(::getpid()) + ".unfinished";
  const int flags = in_place ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL;
  const int fd = ::open((in_place ? path : made).c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) return file_error("cannot be written", errno, path);
  return OutputFile(path, made, fd);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), made_(std::move(other.made_)), fd_(other.fd_), failed_(other.failed_), size_(other.size_) {
  other.fd_ = -1;
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!made_.empty()) ::unlink(made_.c_str());
}

bool OutputFile::write(std::string_view bytes) {
  while (!bytes.empty() && failed_ == 0) {
    const ssize_t n = ::write(fd_, bytes.data(), std::min(bytes.size(), kPiece));
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
      size_ += n;
    } else if (n == 0 || errno != EINTR) {
      failed_ = n == 0 ? EIO : errno;
    }
  }
  return failed_ == 0;
}

Result<bool> OutputFile::finish() {
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0 && failed_ == 0) failed_ = errno;
  if (failed_ == 0 && (made_.empty() || ::rename(made_.c_str(), path_.c_str()) == 0)) return true;
  const int reason = failed_ == 0 ? errno : failed_;
  if (!made_.empty()) ::unlink(made_.c_str());
  return file_error("could not be written completely", reason, path_);
}

}  // namespace sightline::base
