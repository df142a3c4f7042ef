// Files that are read, on disk or in a cloud: what a folder contains, the bytes of a file as they are stored (RawFile), and the
// same bytes decompressed (ByteSource).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::base {

// ---- bytes as stored ----

// The bytes of a file as they are stored, in order, on disk or in a bucket. One thread at a time.
class RawFile {
 public:
  virtual ~RawFile() = default;

  // Fills `to` with up to `size` bytes from the position on and returns how many; fewer than `size` only at the end.
  virtual Result<std::size_t> read(char* to, std::size_t size) = 0;

  // Reading continues at `position`, which is inside the file or its end; false when the file cannot do that (a pipe).
  virtual bool seek(std::int64_t position) = 0;

  virtual std::int64_t position() const = 0;
  virtual std::int64_t size() const = 0;
  virtual const std::string& path() const = 0;
};

// The file at a path, or the object at an address such as s3://bucket/key. Not found, a directory, no permission: an Error
// that names it and the reason.
Result<std::unique_ptr<RawFile>> open_raw(const std::string& path);

// ---- bytes decompressed ----

// The bytes of a file in order, decompressed when the content (not the
// name) is gzip. Damage inside a gzip stream ends the bytes early, so the
// bytes before it are not lost; damage() reports it. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `to` with up to `size` bytes and returns how many; fewer than `size` only at the end.
  virtual Result<std::size_t> read(char* to, std::size_t size) = 0;

  // Bytes of the file on disk read so far, and in all.
  virtual std::int64_t file_position() const = 0;
  virtual std::int64_t file_size() const = 0;

  // Why the bytes ended early, once read() returned less than requested.
  virtual const std::optional<Message>& damage() const = 0;

  // Skips `size` decompressed bytes (a seek where the file is plain).
  virtual Result<std::size_t> skip(std::int64_t size) = 0;
};

// Not found, a directory, no permission: an Error that names the path and the system's reason.
Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path);

// The first `size` bytes, decompressed; fewer when the file is shorter.
Result<std::string> read_head(const std::string& path, std::size_t size);

// ---- folders ----

// The files directly in a folder: full paths, sorted;
// empty when the folder does not exist. On disk, links
// are followed. unreadable: the folder cannot be listed.
Result<std::vector<std::string>> files_in_folder(const std::string& folder);

}  // namespace sightline::base
