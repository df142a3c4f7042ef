// Hashing a file that must not have changed since it was read.
#include "engine/content_of_file.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "store/checksum.h"

namespace sightline {

namespace {

namespace fs = std::filesystem;

void list_files(const fs::path& folder, bool below, std::vector<fs::path>& files) {
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) {
      if (below) list_files(entry->path(), false, files);
    } else if (entry->is_regular_file(unknown)) {
      files.push_back(entry->path());
    }
  }
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  list_files(folder, true, files);
  std::sort(files.begin(), files.end());
  return files;
}

std::string key_of_folder(const fs::path& folder) {
  std::string text;
  std::int64_t size = 0;
  for (const fs::path& file : files_of(folder)) {
    const FileIdentity identity = identity_of(file.string()).value_or(FileIdentity{});
    size += identity.size;
    text += file.lexically_relative(folder).string() + '\n' + std::to_string(identity.size) + ' ' +
            std::to_string(identity.modified) + '\n';
  }
  return hex(checksum(text)) + hex(checksum(text + '\n')) + '-' + std::to_string(size);
}

}  // namespace

Result<FileIdentity> find_identity_of_capture(const std::string& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return find_identity(path);
  std::optional<FileIdentity> all;
  for (const fs::path& file : files_of(path)) {
    const std::optional<FileIdentity> one = identity_of(file.string());
    if (!one) continue;
    if (!all) all = FileIdentity{.device = one->device, .inode = 0, .size = 0, .modified = 0, .changed = 0};
    all->inode += one->inode;
    all->size += one->size;
    all->modified = std::max(all->modified, one->modified);
    all->changed = std::max(all->changed, one->changed);
  }
  if (!all) return Error{ErrorCode::not_found, "there is no file in it", path};
  return *all;
}

std::optional<FileIdentity> identity_of_capture(const std::string& path) {
  const Result<FileIdentity> found = find_identity_of_capture(path);
  return found ? std::optional(*found) : std::nullopt;
}

Result<std::string> ContentOfFile::find_key(const std::atomic<bool>& cancelled) {
  const std::lock_guard lock(mutex);
  if (!key.empty()) return key;
  const Error changed{ErrorCode::unavailable, "the file has changed since it was read", path};
  if (!unchanged()) return changed;
  std::error_code failed;
  Result<std::string> found = fs::is_directory(path, failed) ? key_of_folder(path) : content_key(path, cancelled);
  if (!found) return found;
  if (!unchanged()) return changed;
  key = *found;
  return found;
}

}  // namespace sightline
