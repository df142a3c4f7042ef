// ByteStream: the bytes of a file in order, and the position in it. A failure is final: the first error is kept, everything
// read afterwards is empty, and the caller can check for it later.
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
  // Over bytes that are already in memory and outlive the stream.
  ByteStream(std::string_view bytes, std::string path) : path_(std::move(path)), rest_(bytes) {}

  // The file seems to end where the limit is reached. Only for a stream without progress, which has a limit.
  void obey(MemoryLimit& limit) { limit_ = &limit; }

  // Up to `size` bytes; fewer only at the end of the file, or after an error.
  std::size_t take(char* to, std::size_t size);
  // The same without a copy, at most 256 KiB: valid until the next call.
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
  // Skips `size` bytes; bytes beyond the end of the file count as skipped.
  void skip(std::int64_t size);

  std::int64_t position() const { return position_; }  // in the decompressed file, of the next byte
  bool at_end() const { return source_ == nullptr && rest_.empty(); }
  bool ends() { return rest_.empty() && !fill(0); }  // whether nothing follows; reads ahead to find out

  void fail(TemplateMessage message) { fail({ErrorCode::malformed, std::move(message), place()}); }
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

  ByteSource* source_ = nullptr;  // null: it has ended
  std::string path_;
  ReadProgress* progress_ = nullptr;  // may be null
  MemoryLimit* limit_ = nullptr;      // likewise
  std::vector<char> buffer_;
  std::string_view rest_;  // read and not yet taken
  std::int64_t position_ = 0;
  std::optional<Error> error_;
  std::int64_t failed_at_ = 0;
};

}  // namespace sightline::formats
