// ProfileCache: the profiles that this user has loaded, as columns in a folder, found by content. The folder is
// SIGHTLINE_CACHE_DIR, else XDG_CACHE_HOME/sightline, else ~/.cache/sightline:
//   profiles/<content key>.arrow   the columns, and data computed from them (profile_file.h)
//   profiles/<content key>.seal    the identity of this file when it was last known to be complete; its time is the last use
//   sources/<hash of a path>       the content of a source file, valid while the file does not change
//   markers/                       the user's markers (marker_store.h)
// Every file is written under another name and then renamed. A file is used only if its content is exactly what was written: a
// file with the identity in its seal is mapped as it is; for any other, the checksums are compared first. Any number of programs
// may share the folder; a profile that is open in one of them is not removed to make room. The cache is never required: after any
// failure, the source is read again. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "store/content_key.h"
#include "store/file_io.h"
#include "store/profile_file.h"

namespace sightline::store {

// Empty when the environment names no folder (no HOME).
std::string cache_folder();

// Bytes of "500M", "20G", "1T" or a plain number (powers of 1000); nullopt when it is not a size.
std::optional<std::int64_t> parse_size(std::string_view text);

struct CacheOptions {
  std::string folder;             // empty: no profile is found or kept
  std::int64_t limit_bytes = -1;  // of all profiles together; -1: a tenth of the free space, at most 20 GB
  std::string fingerprint = {};   // empty: that of this program; tests use another one
};

struct CachedProfile {
  std::string key;
  std::unique_ptr<Profile> profile;
  Record about;     // as given to keep()
  Derived derived;  // as given to keep()
};

struct CatalogueEntry {
  std::string key;
  Record about;
  std::int64_t bytes = 0;      // of the file in the cache
  std::int64_t last_used = 0;  // ns since 1970
};

class ProfileCache {
 public:
  explicit ProfileCache(CacheOptions options);

  const std::string& folder() const { return options_.folder; }

  // The profile that was read from a source. The source is recognized
  // by its identity or, when the cache has a profile of that many
  // bytes, by a hash of its bytes. nullopt: not in the cache.
  std::optional<CachedProfile> open(const SourceFiles& source, const std::atomic<bool>& cancelled);
  std::optional<CachedProfile> open_key(const std::string& key);

  // Writes a profile, remembers that the file at `path` (whose identity was `source` before it was read) has this content, and
  // makes room.
  // False when the profile is larger than the limit. Errors: cannot write, disk full, cancelled.
  Result<bool> keep(const std::string& key, const Profile& profile, const Record& about, const std::string& path,
                    const FileIdentity& source, const std::atomic<bool>& cancelled, const Derived& derived = {});

  // The keys of all files, also of those of other versions.
  std::vector<std::string> keys() const;

  // All profiles that this program can open, the last used first.
  std::vector<CatalogueEntry> list() const;

  // Sets the time of the last use to now.
  void touch(const std::string& key) const;

  // Removes a profile even when it is in use: programs that have it open keep it. False: the cache does not have it.
  Result<bool> remove(const std::string& key);

  // Removes the least recently used profiles that no program has open, until the rest fits, and files that writers left behind.
  void make_room();

 private:
  std::string profile_path(const std::string& key) const;
  std::string seal_path(const std::string& key) const;
  std::string source_path(const std::string& path) const;
  std::optional<std::string> known_key(const std::string& path, const FileIdentity& source) const;
  std::int64_t limit() const;
  bool has_size(std::int64_t size) const;
  void remember(const std::string& path, const FileIdentity& source, const std::string& key) const;
  void seal(const std::string& key, const FileIdentity& file) const;
  bool is_sealed(const std::string& key, const FileIdentity& file) const;

  CacheOptions options_;
};

// The absolute path by which a source is remembered, with
// links followed; `path` itself when the file does not
// exist. An address in a cloud in its usual spelling.
std::string absolute_path(const std::string& path);

}  // namespace sightline::store
