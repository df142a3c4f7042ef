// ByteStream: the bytes of a file in order, and where in it one is. Whatever fails, fails once and for good: the first error
// stays, all that is read afterwards is empty, and the caller asks when it is convenient.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "formats/reader.h"

namespace sightline::formats {

class ByteStream {
 public:
  ByteStream(ByteSource& source, std::string path, ReadProgress* progress);
  // Of bytes that are in memory already, and stay there.
  ByteStream(std::string_view bytes, std::string path) : path_(std::move(path)), rest_(bytes) {}

  // The file seems to end where the limit is reached. Only a stream without progress needs this: else that has the limit.
  void obey(MemoryLimit& limit) { limit_ = &limit; }

  // Up to `size` bytes; fewer only at the end of the file, or after an error.
  std::size_t take(char* to, std::size_t size);
  // The same without a copy, at most 256 KiB: they stay where they are until something else is asked for.
  std::string_view take_in_place(std::size_t size);
  // The next byte, or -1.
  int next() {
    if (ends()) return -1;
    const char byte = rest_.front();
    step(1);
    return static_cast<unsigned char>(byte);
  }
  // The next line without its end, of which `to` keeps at most `longest` bytes; false at the end of the file.
  bool line(std::string& to, std::size_t longest);
  // Over `size` bytes; what lies behind the end of the file counts as skipped.
  void skip(std::int64_t size);

  std::int64_t position() const { return position_; }  // in the decompressed file, of the next byte
  bool at_end() const { return source_ == nullptr && rest_.empty(); }
  bool ends() { return rest_.empty() && !fill(0); }  // whether nothing comes; looks into the file to know

  void fail(std::string message) { fail({ErrorCode::malformed, std::move(message), place()}); }
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }         // REQUIRES: failed()
  std::int64_t failed_at() const { return failed_at_; }  // the position at which it did

 private:
  void fail(Error error);
  std::string place() const { return path_ + ":" + std::to_string(position_); }
  bool fill(std::size_t held);
  void step(std::size_t size) {
    rest_.remove_prefix(size);
    position_ += static_cast<std::int64_t>(size);
  }

  ByteSource* source_ = nullptr;  // null: it has no more
  std::string path_;
  ReadProgress* progress_ = nullptr;  // may be null
  MemoryLimit* limit_ = nullptr;      // likewise
  std::vector<char> buffer_;
  std::string_view rest_;  // of what was read: what is not taken yet
  std::int64_t position_ = 0;
  std::optional<Error> error_;
  std::int64_t failed_at_ = 0;
};

}  // namespace sightline::formats
