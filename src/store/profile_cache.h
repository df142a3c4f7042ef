// ProfileCache: the profiles this user has loaded, as columns in a folder, kept by content.
//   profiles/<content key>.arrow   the columns, and what was computed from them (profile_file.h)
//   profiles/<content key>.seal    what the file looked like when it was last known to be whole; its time is the last use
//   sources/<hash of a path>       which content a source file has, as long as it is not changed
// Every file is made under another name and renamed. What is found is believed only if it is what was written: a file
// that still looks as its seal says is mapped as it is; any other is compared with its checksums first, byte for byte.
// Any number of programs may share the folder; a profile that one of them has open is not removed to make room.
// Nothing here is ever needed: whatever goes wrong, the source is read again. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "store/file_io.h"
#include "store/profile_file.h"
#include "store/source_files.h"

namespace sightline::store {

struct CacheOptions {
  std::string folder;             // "" : nothing is found and nothing kept
  std::int64_t limit_bytes = -1;  // of all profiles together; -1: a tenth of the free space, at most 20 GB
  std::string fingerprint = {};   // empty: this program's; tests bring another
};

struct CachedProfile {
  std::string key;
  std::unique_ptr<Profile> profile;
  Record about;     // as it was given to keep()
  Derived derived;  // likewise
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

  // The profile that was read from a file or a folder's files: known by their identity, or, when a profile of that many bytes
  // is there, by hashing them. nullopt: not in the cache.
  std::optional<CachedProfile> open(const SourceFiles& source, const std::atomic<bool>& cancelled);
  std::optional<CachedProfile> open_key(const std::string& key);

  // Writes a profile, remembers that the file at `path` (which looked like `source` before it was read) has this content,
  // and makes room. False when it is longer than all the room there is. Errors: cannot write, disk full, cancelled.
  Result<bool> keep(const std::string& key, const Profile& profile, const Record& about, const std::string& path,
                    const FileIdentity& source, const std::atomic<bool>& cancelled, const Derived& derived = {});

  // Of all files, those of other versions too.
  std::vector<std::string> keys() const;

  // All that can be opened by this program, the last used first.
  std::vector<CatalogueEntry> list() const;

  // The time of the last use is now.
  void touch(const std::string& key) const;

  // Removes a profile even when it is in use: programs that have it open keep it. False: it was not there.
  Result<bool> remove(const std::string& key);

  // Removes the least recently used ones that no program has open until the rest fits, and what writers left behind.
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

// The absolute path by which a source is remembered, links followed; `path` itself when there is no such file. An address in
// a cloud in its usual spelling.
std::string absolute_path(const std::string& path);

}  // namespace sightline::store
