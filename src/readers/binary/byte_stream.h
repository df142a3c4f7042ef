// ByteStream: the bytes of a file in order, and where in it one is. Whatever fails, fails once and for good: the first error
// stays, all that is read afterwards is empty, and the caller asks when it is convenient.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "readers/reader.h"

namespace sightline {

class ByteStream {
 public:
  ByteStream(ByteSource& source, std::string path, ReadProgress* progress);

  // Up to `size` bytes; fewer only at the end of the file, or after an error.
  std::size_t take(char* to, std::size_t size);
  // The next byte, or -1.
  int next() {
    if (next_ == buffer_.size() && !fill()) return -1;
    ++position_;
    return static_cast<unsigned char>(buffer_[next_++]);
  }
  // Over `size` bytes; what lies behind the end of the file counts as skipped.
  void skip(std::int64_t size);

  std::int64_t position() const { return position_; }  // in the decompressed file, of the next byte
  bool at_end() const { return ended_ && next_ == buffer_.size(); }
  bool ends() { return next_ == buffer_.size() && !fill(); }  // whether nothing comes; looks into the file to know

  void fail(std::string message) { fail({ErrorCode::malformed, std::move(message), place()}); }
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }         // REQUIRES: failed()
  std::int64_t failed_at() const { return failed_at_; }  // the position at which it did

 private:
  void fail(Error error);
  std::string place() const { return path_ + ":" + std::to_string(position_); }
  bool fill();

  ByteSource& source_;
  std::string path_;
  ReadProgress* progress_;  // may be null
  std::vector<char> buffer_;
  std::size_t next_ = 0;  // of buffer_
  std::int64_t position_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;
  std::int64_t failed_at_ = 0;
};

}  // namespace sightline
