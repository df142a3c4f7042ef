// Hashing what must not have changed since it was read.
#include "engine/content_of_file.h"

#include <chrono>
#include <filesystem>

#include "base/remote/remote_path.h"
#include "store/content_key.h"
#include "store/profile_cache.h"

namespace sightline::engine {

namespace {

// Absolute, so that its files have the same names wherever it is looked at from. A link to a file stays one: what is beside the
// link is what the file is read with.
std::string place_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (is_remote(path) || !fs::is_symlink(fs::symlink_status(path, failed)) || !fs::is_regular_file(path, failed))
    return absolute_path(path);
  const fs::path file = path;
  const fs::path folder = fs::canonical(file.has_parent_path() ? file.parent_path() : ".", failed);
  return failed ? absolute_path(path) : (folder / file.filename()).string();
}

}  // namespace

SourceFiles source_of(const Reader& reader, const std::string& path) {
  if (reader.files_of == nullptr) return path;
  std::string absolute = place_of(path);
  Result<std::vector<std::string>> files = reader.files_of(absolute);
  return files ? SourceFiles(std::move(absolute), *std::move(files)) : SourceFiles(path);
}

Result<FileIdentity> find_identity_of_capture(const Reader& reader, const std::string& path) {
  const SourceFiles source = source_of(reader, path);
  std::error_code failed;
  if (!source.files.empty() || is_remote(path) || !std::filesystem::is_directory(path, failed)) return find_identity(source);
  const auto changed = std::filesystem::last_write_time(path, failed).time_since_epoch();
  if (failed) return Error{ErrorCode::not_found, failed.message(), path};
  return FileIdentity{.modified = std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count()};
}

std::optional<FileIdentity> identity_of_capture(const Reader& reader, const std::string& path) {
  const Result<FileIdentity> found = find_identity_of_capture(reader, path);
  return found ? std::optional(*found) : std::nullopt;
}

Result<std::string> ContentOfFile::find_key(const std::atomic<bool>& cancelled) {
  const std::lock_guard lock(mutex);
  if (!key.empty()) return key;
  const Error changed{ErrorCode::unavailable, "the file has changed since it was read", path};
  if (!unchanged()) return changed;
  Result<std::string> found = content_key(source_of(*reader, path), cancelled);
  if (!found) return found;
  if (!unchanged()) return changed;
  key = *found;
  return found;
}

}  // namespace sightline::engine
