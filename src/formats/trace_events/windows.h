// WindowCutter: hands out the text of the events in windows that end where an event seems to begin (or, where none does for
// 16 MiB, anywhere). The cut is a
// guess (a brace after "}," before a key, which a string could also hold); whoever scans the window finds out, and
// the next window is then scanned again together with what was left (see parse_events).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "formats/trace_events/event_scanner.h"

namespace sightline::formats::trace_events {

// Text with the padding that EventScanner wants. Reused, since fresh memory costs more than copying into old.
class Buffer {
 public:
  char* data() { return data_.get(); }
  const char* data() const { return data_.get(); }
  std::size_t capacity() const { return capacity_; }
  // Makes room for `size` bytes, keeping the first `keep`.
  void reserve(std::size_t size, std::size_t keep);

 private:
  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
};

inline constexpr std::size_t kLongestEvent = std::size_t{16} << 20;  // bytes: a longer one is skipped

struct Window {
  std::size_t index = 0;
  Buffer text;
  std::size_t size = 0;
  std::int64_t offset = 0;  // of text[0] in the decompressed file
  bool last = false;
};

class WindowCutter {
 public:
  // `head` is text already read from `source`, whose first byte stands at `offset` of the decompressed file.
  WindowCutter(ByteSource& source, std::string head, std::int64_t offset, std::size_t window_bytes)
      : source_(source), carry_(std::move(head)), offset_(offset), window_bytes_(window_bytes) {}

  // The next window in `window` (whose buffer is reused); false at the end of the file.
  Result<bool> next(Window& window);

 private:
  ByteSource& source_;
  std::string carry_;
  std::int64_t offset_;
  std::size_t window_bytes_;
  std::size_t index_ = 0;
  bool ended_ = false;
};

// The offset of the last place in text[0, size) where an event seems to begin, or 0 when there is none.
std::size_t last_event_start(const char* text, std::size_t size);

}  // namespace sightline::formats::trace_events
