// Hashes of content (XXH3): 64 bits to detect damage, 128 bits to recognize the content of a file, or of several files as one.
// They do not protect against a user who makes collisions on purpose: the files are in the user's own folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/file_io.h"

namespace sightline::store {

std::uint64_t checksum(std::span<const std::byte> bytes);
inline std::uint64_t checksum(std::string_view text) { return checksum(std::as_bytes(std::span(text.data(), text.size()))); }

// 16 lower-case hexadecimal digits.
std::string hex(std::uint64_t value);

// The key of a file's content: 32 hexadecimal digits of its hash, a
// dash, and its size in bytes. The name of the file does not matter. For
// an object in a cloud, which would have to be read again, the address
// and the etag are hashed. ErrorCode::cancelled when `cancelled` became
// true, unreadable when the file changed during the call.
Result<std::string> content_key(const std::string& path, const std::atomic<bool>& cancelled);

// A key in the same form, from a text that identifies the content and the content's size in bytes; and the size in a key.
std::string key_of_text(std::string_view text, std::int64_t size);
std::int64_t size_in_key(std::string_view key);

// Whether a text has the form of a content key, and so is safe as a file name.
bool is_content_key(std::string_view text);

// The source of a profile: one file, or several files
// that its reader needs. Several files have one
// identity and one content key, like a single file.
struct SourceFiles {
  std::string path;                // of the file, or of the folder
  std::vector<std::string> files;  // all files, in or next to the folder, or the file and those next to it; empty: only the file

  SourceFiles(std::string file) : path(std::move(file)) {}  // NOLINT(google-explicit-constructor): a file is its own source
  SourceFiles(std::string folder, std::vector<std::string> inside) : path(std::move(folder)), files(std::move(inside)) {}
};

// find_identity of the file. For a folder: the size of all files together, the latest
// times, and a hash of all names and identities as the inode, so a file that was added,
// removed or replaced changes it. An Error when the identity of one file cannot be found.
Result<FileIdentity> find_identity(const SourceFiles& source);

// content_key of the file. For a folder: a key of the names of its files and
// their content keys, so a copied or moved folder has the same key. For a file
// that is read together with others, only the endings of the names count.
Result<std::string> content_key(const SourceFiles& source, const std::atomic<bool>& cancelled);

}  // namespace sightline::store
