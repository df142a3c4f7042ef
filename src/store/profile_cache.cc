// ProfileCache: finding, keeping and forgetting profiles in the folder of the cache.
#include "store/profile_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/remote/remote_path.h"
#include "base/sort.h"
#include "store/content_key.h"
#include "store/mapped_file.h"

namespace sightline::store {

// ---- the folder ----

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string cache_folder() {
  if (const std::string folder = variable("SIGHTLINE_CACHE_DIR"); !folder.empty()) return folder;
  if (const std::string folder = variable("XDG_CACHE_HOME"); folder.starts_with('/')) return folder + "/sightline";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/sightline";
  return "";
}

std::optional<std::int64_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  std::int64_t size = 0;
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (failed != std::errc() || size < 0) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.empty()) return size;
  const std::size_t power = kUnits.find(unit[0]);
  if (unit.size() > 1 || power == std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) {
    if (size > std::int64_t{9'000'000'000'000'000}) return std::nullopt;
    size *= 1000;
  }
  return size;
}

// ---- profiles ----

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProfileExtension = ".arrow";
constexpr std::string_view kSealExtension = ".seal";
constexpr std::int64_t kMostByDefault = 20'000'000'000;
constexpr std::int64_t kQuickToCheck = 8 << 20;  // bytes whose checksum takes no noticeable time
constexpr std::size_t kMostRecordBytes = 64 * 1024;

// The keys of the profiles in the folder.
std::vector<std::string> keys_in(const std::string& folder) {
  std::vector<std::string> keys;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::string name = entry->path().filename().string();
    if (!name.ends_with(kProfileExtension)) continue;
    name.resize(name.size() - kProfileExtension.size());
    if (is_content_key(name)) keys.push_back(std::move(name));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::int64_t modified_at(const std::string& path) {
  const auto identity = identity_of(path);
  return identity ? identity->modified : 0;
}

// An exclusive lock until the object is destroyed. When it cannot be locked, another program has the file open.
class SoleLock {
 public:
  explicit SoleLock(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    got_ = fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
  }
  ~SoleLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  SoleLock(const SoleLock&) = delete;
  SoleLock& operator=(const SoleLock&) = delete;
  bool got() const { return got_; }

 private:
  int fd_;
  bool got_ = false;
};

// An unfinished file. It is locked, so it can be distinguished from a file whose writer has ended. It is removed unless it was
// put in place.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path) : path_(path) {
    do {  // again when another program removed it before it was locked
      if (fd_ >= 0) ::close(fd_);
      made_ = unfinished_name(path);
      fd_ = ::open(made_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    } while (fd_ >= 0 && ::flock(fd_, LOCK_SH) == 0 && is_removed(fd_));
  }
  ~Unfinished() {
    if (fd_ < 0) return;
    if (!placed_) ::unlink(made_.c_str());
    ::close(fd_);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  int fd() const { return fd_; }

  // Syncs the file to the disk, then renames it.
  bool place() {
    placed_ = ::fsync(fd_) == 0 && ::rename(made_.c_str(), path_.c_str()) == 0;
    return placed_;
  }

 private:
  static bool is_removed(int fd) {
    struct stat status {};
    return ::fstat(fd, &status) == 0 && status.st_nlink == 0;
  }

  std::string path_;
  std::string made_;
  int fd_ = -1;
  bool placed_ = false;
};

void sync_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

std::string absolute_path(const std::string& path) {
  if (const Result<RemotePath> remote = parse_remote(path)) return remote_address(*remote, remote->key);
  std::error_code failed;
  const fs::path canonical = fs::canonical(path, failed);
  return failed ? path : canonical.string();
}

ProfileCache::ProfileCache(CacheOptions options) : options_(std::move(options)) {
  if (options_.fingerprint.empty()) options_.fingerprint = profile_fingerprint();
}

std::string ProfileCache::profile_path(const std::string& key) const {
  return options_.folder + "/profiles/" + key + std::string(kProfileExtension);
}
std::string ProfileCache::seal_path(const std::string& key) const {
  return options_.folder + "/profiles/" + key + std::string(kSealExtension);
}
std::string ProfileCache::source_path(const std::string& path) const {
  return options_.folder + "/sources/" + hex(checksum(path));
}

std::optional<std::string> ProfileCache::known_key(const std::string& path, const FileIdentity& source) const {
  const auto text = read_small_file(source_path(path), kMostRecordBytes);
  const auto record = text ? parse_record(*text) : std::nullopt;
  if (!record || record_value(*record, "path") != path || identity_in(*record) != source) return std::nullopt;
  std::string key(record_value(*record, "key"));
  return is_content_key(key) ? std::optional(std::move(key)) : std::nullopt;
}

std::int64_t ProfileCache::limit() const {
  if (options_.limit_bytes >= 0) return options_.limit_bytes;
  std::error_code failed;
  const fs::space_info space = fs::space(options_.folder, failed);
  return failed ? kMostByDefault : std::min(kMostByDefault, static_cast<std::int64_t>(space.available / 10));
}

bool ProfileCache::has_size(std::int64_t size) const {
  const std::string ending = "-" + std::to_string(size);
  const std::vector<std::string> known = keys();
  return std::any_of(known.begin(), known.end(), [&](const std::string& key) { return key.ends_with(ending); });
}

void ProfileCache::remember(const std::string& path, const FileIdentity& source, const std::string& key) const {
  if (changed_just_now(source) || !make_folder(options_.folder + "/sources").ok()) return;
  Record record{{"path", path}, {"key", key}};
  add_identity(record, source);
  (void)replace_file(source_path(path), record_text(record), Durable::no);  // without it, the file is hashed the next time
}

void ProfileCache::seal(const std::string& key, const FileIdentity& file) const {
  Record record;
  add_identity(record, file);
  (void)replace_file(seal_path(key), record_text(record), Durable::no);  // without it, the checksums are compared the next time
}

bool ProfileCache::is_sealed(const std::string& key, const FileIdentity& file) const {
  const auto text = read_small_file(seal_path(key), kMostRecordBytes);
  const auto record = text ? parse_record(*text) : std::nullopt;
  return record && identity_in(*record) == file;
}

std::optional<CachedProfile> ProfileCache::open(const SourceFiles& source, const std::atomic<bool>& cancelled) {
  if (options_.folder.empty()) return std::nullopt;
  const std::string absolute = absolute_path(source.path);
  const Result<FileIdentity> identity = find_identity(source);
  if (!identity) return std::nullopt;
  if (const auto key = known_key(absolute, *identity)) return open_key(*key);
  if (!has_size(identity->size)) return std::nullopt;
  const Result<std::string> key = content_key(source, cancelled);
  if (!key) return std::nullopt;
  const Result<FileIdentity> now = find_identity(source);
  if (!now || *now != *identity) return std::nullopt;
  std::optional<CachedProfile> found = open_key(*key);
  if (found) remember(absolute, *identity, *key);
  return found;
}

std::optional<CachedProfile> ProfileCache::open_key(const std::string& key) {
  if (options_.folder.empty() || !is_content_key(key)) return std::nullopt;
  const auto file = MappedFile::open(profile_path(key));
  if (file == nullptr) return std::nullopt;
  const FileIdentity before = file->identity();
  const bool sealed = is_sealed(key, before);
  Result<StoredProfile> stored = open_profile_file(file, options_.fingerprint, sealed ? Trust::unchanged : Trust::nothing);
  if (!stored) return std::nullopt;
  if (!sealed && file->identity() == before && !changed_just_now(before)) seal(key, before);
  return CachedProfile{.key = key,
                       .profile = std::move(stored->profile),
                       .about = std::move(stored->about),
                       .derived = std::move(stored->derived)};
}

Result<bool> ProfileCache::keep(const std::string& key, const Profile& profile, const Record& about, const std::string& path,
                                const FileIdentity& source, const std::atomic<bool>& cancelled, const Derived& derived) {
  if (options_.folder.empty()) return false;
  const std::string folder = options_.folder + "/profiles";
  const Result<bool> made = make_folder(folder);
  if (!made) return made;
  std::int64_t bytes = profile_file_bytes(profile);
  for (const Section& section : derived.sections) bytes += static_cast<std::int64_t>(section.bytes.size());
  if (bytes > limit()) return false;
  Unfinished file(profile_path(key));
  if (file.fd() < 0) return Error{ErrorCode::unreadable, std::strerror(errno), folder};
  const Result<bool> written = write_profile_file(file.fd(), profile, about, options_.fingerprint, cancelled, derived);
  if (!written) return Error{written.error().code, written.error().message, folder};
  if (!file.place()) return Error{ErrorCode::unreadable, std::strerror(errno), folder};
  sync_folder(folder);
  // Sealed as soon as another change would be visible in the identity; programs that open the file before that compare the
  // checksums.
  const FileIdentity placed = identity_of(file.fd()).value_or(FileIdentity{});
  while (placed.size > kQuickToCheck && changed_just_now(placed) && !cancelled) ::usleep(10'000);
  if (!changed_just_now(placed) && identity_of(file.fd()) == placed) seal(key, placed);
  remember(absolute_path(path), source, key);
  make_room();
  return true;
}

std::vector<std::string> ProfileCache::keys() const {
  return options_.folder.empty() ? std::vector<std::string>{} : keys_in(options_.folder + "/profiles");
}

std::vector<CatalogueEntry> ProfileCache::list() const {
  std::vector<CatalogueEntry> entries;
  for (std::string& key : keys()) {
    const auto file = MappedFile::open(profile_path(key));
    if (file == nullptr) continue;
    Result<Record> about = read_about(*file, options_.fingerprint);
    if (!about) continue;
    const FileIdentity identity = file->identity();
    const std::int64_t used = std::max(identity.modified, modified_at(seal_path(key)));
    entries.push_back({.key = std::move(key), .about = *std::move(about), .bytes = identity.size, .last_used = used});
  }
  sort_down(entries, &CatalogueEntry::last_used);
  return entries;
}

void ProfileCache::touch(const std::string& key) const {
  if (!options_.folder.empty()) ::utimensat(AT_FDCWD, seal_path(key).c_str(), nullptr, 0);
}

Result<bool> ProfileCache::remove(const std::string& key) {
  const std::string path = profile_path(key);
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return false;
    return Error{ErrorCode::unreadable, std::strerror(errno), path};
  }
  ::unlink(seal_path(key).c_str());
  return true;
}

void ProfileCache::make_room() {
  const std::string folder = options_.folder + "/profiles";
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string path = entry->path().string();
    if (!is_unfinished(path)) continue;
    const SoleLock lock(path);
    if (lock.got()) ::unlink(path.c_str());
  }
  struct Kept {
    std::string key;
    std::int64_t bytes;
    std::int64_t used;
  };
  std::vector<Kept> kept;
  std::int64_t sum = 0;
  for (std::string& key : keys_in(folder)) {
    const auto file = identity_of(profile_path(key));
    if (!file) continue;
    const std::int64_t used = std::max(file->modified, modified_at(seal_path(key)));
    sum += file->size;
    kept.push_back({.key = std::move(key), .bytes = file->size, .used = used});
  }
  const std::int64_t most = limit();
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& each : kept) {
    if (sum <= most) break;
    const SoleLock lock(profile_path(each.key));
    if (lock.got() && remove(each.key).ok()) sum -= each.bytes;
  }
}

}  // namespace sightline::store
