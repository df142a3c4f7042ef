// RawFile: the bytes of a file as they are stored, in order, wherever it is kept: on disk, or in a bucket. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace sightline::base {

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

}  // namespace sightline::base
