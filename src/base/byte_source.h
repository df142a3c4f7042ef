// ByteSource: the bytes of a file in order, decompressed when the content (not the name) is gzip. Damage inside
// a gzip stream ends the bytes early and is reported by damage(), so that what came before is not lost.
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::base {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `to` with up to `size` bytes and returns how many; fewer than `size` only at the end.
  virtual Result<std::size_t> read(char* to, std::size_t size) = 0;

  // Bytes of the file on disk read so far, and in all.
  virtual std::int64_t file_position() const = 0;
  virtual std::int64_t file_size() const = 0;

  // Why the bytes ended early, once read() returned less than requested.
  virtual const std::optional<std::string>& damage() const = 0;

  // Skips `size` decompressed bytes (a seek where the file is plain).
  virtual Result<std::size_t> skip(std::int64_t size) = 0;
};

// Not found, a directory, no permission: an Error that names the path and the system's reason.
Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path);

// The first `size` bytes, decompressed; fewer when the file is shorter.
Result<std::string> read_head(const std::string& path, std::size_t size);

}  // namespace sightline::base
