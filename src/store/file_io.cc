// Uses system calls directly, because modes and durability matter here.
#include "store/file_io.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"
#include "base/text.h"
#include "store/content_key.h"

namespace sightline::store {

namespace {

constexpr std::string_view kUnfinished = ".unfinished";
constexpr std::int64_t kTickNs = 50'000'000;  // more than the tick of any kernel's clock

std::optional<FileIdentity> identity_in(const struct stat& s) {
  if (!S_ISREG(s.st_mode)) return std::nullopt;
  const auto ns = [](const timespec& t) { return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_nsec; };
  return FileIdentity{.device = s.st_dev,
                      .inode = s.st_ino,
                      .size = static_cast<std::int64_t>(s.st_size),
                      .modified = ns(s.st_mtim),
                      .changed = ns(s.st_ctim)};
}

Error failure(const char* what, const std::string& path) {
  return {ErrorCode::unreadable, say("{}: {}", what, std::strerror(errno)), path};
}

// Removes the first line from the text and returns it; nullopt when the text has no line end.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

Result<FileIdentity> find_identity(const std::string& path) {
  if (is_remote(path)) {
    const Result<RemoteStatus> status = remote_status(path);
    if (!status) return status.error();
    if (status->folder) return Error{ErrorCode::not_found, "is a folder", path};
    return FileIdentity{.inode = checksum(status->version), .size = status->size};
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    const bool gone = errno == ENOENT || errno == ENOTDIR;
    return Error{gone ? ErrorCode::not_found : ErrorCode::unreadable, std::strerror(errno), path};
  }
  const std::optional<FileIdentity> identity = identity_in(status);
  if (!identity) return Error{ErrorCode::not_found, "is not a regular file", path};
  return *identity;
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  const Result<FileIdentity> found = find_identity(path);
  return found ? std::optional(*found) : std::nullopt;
}

std::optional<FileIdentity> identity_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return std::nullopt;
  return identity_in(status);
}

bool changed_just_now(const FileIdentity& identity) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  return ns < identity.changed + kTickNs || ns < identity.modified + kTickNs;
}

Result<bool> make_folder(const std::string& folder) {
  for (std::size_t end = 1; end != std::string::npos;) {
    end = folder.find('/', end + 1);
    const std::string part = folder.substr(0, end);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES) {
      return failure("cannot create the folder", part);
    }
  }
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return true;
  return Error{ErrorCode::unreadable, "cannot create the folder", folder};
}

std::optional<std::string> read_small_file(const std::string& path, std::size_t most) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string bytes(most + 1, '\0');
  std::size_t got = 0;
  ssize_t n = 0;
  while (got < bytes.size() && (n = ::read(fd, bytes.data() + got, bytes.size() - got)) > 0) got += static_cast<std::size_t>(n);
  ::close(fd);
  if (n < 0 || got > most) return std::nullopt;
  bytes.resize(got);
  return bytes;
}

Result<bool> replace_file(const std::string& path, std::string_view bytes, Durable durable) {
  const std::string made = unfinished_name(path);
  const int fd = ::open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return failure("cannot write", path);
  bool written = true;
  while (written && !bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    written = n > 0 || (n < 0 && errno == EINTR);
  }
  written = written && (durable == Durable::no || ::fsync(fd) == 0);
  if (!written) {
    const Error error = failure("cannot write", path);
    ::close(fd);
    ::unlink(made.c_str());
    return error;
  }
  ::close(fd);
  if (::rename(made.c_str(), path.c_str()) == 0) return true;
  const Error error = failure("cannot write", path);
  ::unlink(made.c_str());
  return error;
}

std::string unfinished_name(const std::string& path) {
  static std::atomic<unsigned> next{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return path.substr(0, path.rfind('/') + 1) + std::to_string(::getpid()) + "." + std::to_string(now) + "." +
         std::to_string(next++) + std::string(kUnfinished);
}

bool is_unfinished(std::string_view file_name) { return file_name.ends_with(kUnfinished); }

// Each text begins with its length, so it may contain any byte.
std::string record_text(const Record& record) {
  std::string text;
  for (const auto& [name, value] : record) text += fmt::format("{} {}\n{}\n", name, value.size(), value);
  return text + "checksum " + hex(checksum(text)) + "\n";
}

std::optional<Record> parse_record(std::string_view text) {
  const std::string_view whole = text;
  Record record;
  while (const auto line = take_line(text)) {
    const std::size_t blank = line->rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    if (line->substr(0, blank) == "checksum" && text.empty()) {
      const std::string_view covered = whole.substr(0, whole.size() - line->size() - 1);
      return line->substr(blank + 1) == hex(checksum(covered)) ? std::optional(std::move(record)) : std::nullopt;
    }
    const auto size = whole_number<std::size_t>(line->substr(blank + 1));
    if (!size || *size >= text.size()) return std::nullopt;
    record.emplace_back(line->substr(0, blank), text.substr(0, *size));
    text.remove_prefix(*size + 1);
  }
  return std::nullopt;
}

std::string_view record_value(const Record& record, std::string_view name) {
  for (const auto& [key, value] : record) {
    if (key == name) return value;
  }
  return {};
}

std::int64_t record_number(const Record& record, std::string_view name, std::int64_t none) {
  return whole_number<std::int64_t>(record_value(record, name)).value_or(none);
}

void add_identity(Record& record, const FileIdentity& identity) {
  record.emplace_back("device", std::to_string(identity.device));
  record.emplace_back("inode", std::to_string(identity.inode));
  record.emplace_back("size", std::to_string(identity.size));
  record.emplace_back("modified", std::to_string(identity.modified));
  record.emplace_back("changed", std::to_string(identity.changed));
}

FileIdentity identity_in(const Record& record) {
  return {.device = whole_number<std::uint64_t>(record_value(record, "device")).value_or(0),
          .inode = whole_number<std::uint64_t>(record_value(record, "inode")).value_or(0),
          .size = record_number(record, "size", -1),
          .modified = record_number(record, "modified", 0),
          .changed = record_number(record, "changed", 0)};
}

}  // namespace sightline::store
