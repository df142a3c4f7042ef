// XXH3: 64 bits to notice damage, 128 bits to know a file's content again. Neither defends against a user who
// makes collisions on purpose: the files are in the user's own folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::store {

std::uint64_t checksum(std::span<const std::byte> bytes);
inline std::uint64_t checksum(std::string_view text) { return checksum(std::as_bytes(std::span(text.data(), text.size()))); }

// 16 lower-case hexadecimal digits.
std::string hex(std::uint64_t value);

// What a file's content is called: 32 hexadecimal digits of its hash, a dash, and its size in bytes. The name of the
// file plays no part. Of an object in a cloud, which would have to be fetched once more, the address and the etag are hashed.
// ErrorCode::cancelled when `cancelled` became true, unreadable when the file changed meanwhile.
Result<std::string> content_key(const std::string& path, const std::atomic<bool>& cancelled);

// The same form of a text that says what the content is, and of the content's size in bytes; and that size of a key.
std::string key_of_text(std::string_view text, std::int64_t size);
std::int64_t size_in_key(std::string_view key);

// Whether a text is a content key in form: such a text is safe as a file name.
bool is_content_key(std::string_view text);

}  // namespace sightline::store
