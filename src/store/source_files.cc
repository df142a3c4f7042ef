// Many files as one. In a cloud each of them is a request, so they are sent in parallel.
#include "store/source_files.h"

#include <algorithm>
#include <filesystem>

#include "base/parallel.h"
#include "base/remote/remote_path.h"
#include "store/checksum.h"

namespace sightline::store {

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
