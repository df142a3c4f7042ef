// Hashes of texts and files. Files in a cloud are looked up in parallel, because each of them is a request.
#include "store/content_key.h"

#define XXH_INLINE_ALL  // XXH3 is compiled in from its header
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"
#include "base/text.h"
#include "store/file_io.h"

namespace sightline::store {

// ---- one file ----

namespace {

constexpr std::size_t kChecksumPiece = std::size_t{1} << 20;
constexpr std::size_t kHashDigits = 32;

bool all_in(std::string_view text, std::string_view set) {
  return !text.empty() && text.find_first_not_of(set) == std::string_view::npos;
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  const int fd;
};

std::string key_text(const XXH128_hash_t& hash, std::int64_t size) {
  return hex(hash.high64) + hex(hash.low64) + "-" + std::to_string(size);
}

Result<std::string> key_of_object(const std::string& address) {
  const Result<RemoteStatus> status = remote_status(address);
  if (!status) return status.error();
  const std::string text = "object " + address + " " + status->version;
  return key_of_text(text, status->size);
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string hex(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = kDigits[value & 15];
  return text;
}

Result<std::string> content_key(const std::string& path, const std::atomic<bool>& cancelled) {
  if (is_remote(path)) return key_of_object(path);
  const OpenFile file(path);
  if (file.fd < 0) return Error{errno == ENOENT ? ErrorCode::not_found : ErrorCode::unreadable, std::strerror(errno), path};
  const auto before = identity_of(file.fd);
  if (!before) return Error{ErrorCode::unreadable, "is not a regular file", path};
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  std::vector<char> piece(kChecksumPiece);
  std::int64_t size = 0;
  while (true) {
    if (cancelled) return Error{ErrorCode::cancelled, "cancelled", path};
    const ssize_t got = ::read(file.fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{ErrorCode::unreadable, std::strerror(errno), path};
    if (got == 0) break;
    XXH3_128bits_update(&state, piece.data(), static_cast<std::size_t>(got));
    size += got;
  }
  if (identity_of(file.fd) != before || size != before->size)
    return Error{ErrorCode::unreadable, "the file is being written", path};
  return key_text(XXH3_128bits_digest(&state), size);
}

std::string key_of_text(std::string_view text, std::int64_t size) {
  return key_text(XXH3_128bits(text.data(), text.size()), size);
}

std::int64_t size_in_key(std::string_view key) {
  return whole_number<std::int64_t>(key.substr(std::min(key.size(), kHashDigits + 1))).value_or(0);
}

bool is_content_key(std::string_view text) {
  return text.size() > kHashDigits + 1 && text.size() < kHashDigits + 22 && text[kHashDigits] == '-' &&
         all_in(text.substr(0, kHashDigits), "0123456789abcdef") && all_in(text.substr(kHashDigits + 1), "0123456789");
}

// ---- several files ----

namespace {

constexpr unsigned kRequests = 8;  // under way at once

std::string name_in(const SourceFiles& source, const std::string& file) {
  return std::filesystem::path(file).lexically_relative(source.path).string();
}

std::string ending_of(const std::string& file) { return std::filesystem::path(file).extension().string(); }

std::vector<Result<FileIdentity>> identities_of(const std::vector<std::string>& files) {
  const Error unknown{ErrorCode::unreadable, "not asked", ""};
  std::vector<Result<FileIdentity>> found(files.size(), unknown);
  const bool remote = !files.empty() && is_remote(files.front());
  parallel_for(files.size(), remote ? kRequests : 1, [&](std::size_t i) { found[i] = find_identity(files[i]); });
  return found;
}

}  // namespace

Result<FileIdentity> find_identity(const SourceFiles& source) {
  if (source.files.empty()) return find_identity(source.path);
  FileIdentity all;
  std::string text;
  const std::vector<Result<FileIdentity>> found = identities_of(source.files);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) return found[i].error();
    const FileIdentity& one = *found[i];
    all.device = one.device;
    all.size += one.size;
    all.modified = std::max(all.modified, one.modified);
    all.changed = std::max(all.changed, one.changed);
    Record record{{"name", name_in(source, source.files[i])}};
    add_identity(record, one);
    text += record_text(record);
  }
  all.inode = checksum(text);
  return all;
}

Result<std::string> content_key(const SourceFiles& source, const std::atomic<bool>& cancelled) {
  if (source.files.empty()) return content_key(source.path, cancelled);
  std::string text;
  std::int64_t size = 0;
  const bool is_file = std::find(source.files.begin(), source.files.end(), source.path) != source.files.end();
  for (const std::string& file : source.files) {
    const Result<std::string> key = content_key(file, cancelled);
    if (!key) return key;
    size += size_in_key(*key);
    text += (is_file ? ending_of(file) : name_in(source, file)) + '\n' + *key + '\n';
  }
  return key_of_text(text, size);
}

}  // namespace sightline::store
