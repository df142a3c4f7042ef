// parse_events: cuts the events' array into windows, scans them on all cores and puts the batches back in the order of the file.
// A cut is a guess. When the scan of a window is done, in order, its end is checked: where a window ends inside an event, the
// rest is scanned again together with the next window. So the events are exactly those of a scan of the whole file, whatever the
// size of a window.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "formats/reader.h"
#include "formats/trace_events/event_batch.h"
#include "formats/trace_events/event_scanner.h"
#include "formats/trace_events/root_members.h"

namespace sightline::formats::trace_events {

// ---- windows ----
// WindowCutter: hands out the text of the events in windows that end where an event seems to begin (or after 16 MiB, if none
// does): at a brace after "}," and before a key, which a string could also contain.

// Text with the padding that EventScanner needs. Reused, because fresh memory costs more than copying into old memory.
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
  // `head` is text already read from `source`; its first byte is at `offset` of the decompressed file.
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

// The offset of the last place in text[0, size) where an event seems to begin, or 0 if there is none.
std::size_t last_event_start(const char* text, std::size_t size);

// ---- all windows ----

// The beginning of the list of events.
struct Beginning {
  std::string text;         // the text after its '[' that was already read
  std::int64_t offset = 0;  // of that text, in the decompressed file
  bool in_object = false;   // the list is a member of the root object; else it is the root
};

// An arrow between two slices, by batch and index.
struct RawArrow {
  std::uint32_t from_batch, from, to_batch, to;
  FlowKind kind;
};

struct ParsedEvents {
  std::vector<EventBatch> batches;            // in file order
  std::vector<StringPool> strings;            // by worker
  std::vector<std::vector<RawTrack>> tracks;  // by worker
  std::vector<RawArrow> arrows;               // beside those that follow from the ends of flows
  bool array_closed = false;                  // the ']' was found
  bool root_ended = false;                    // and after it the '}' of the root object, if there is one
  std::int64_t more_offset = kUnknown;        // where more text follows
  std::int64_t long_members = 0;              // of the root object, that were skipped
  std::int64_t first_long_member = kUnknown;  // where the first is
  std::int64_t end_offset = 0;                // where the text ended, in the decompressed file
};

// Adds the members after the events to `members`.
Result<ParsedEvents> parse_events(ByteSource& source, Beginning beginning, RootMembers& members, const ReadOptions& options);

}  // namespace sightline::formats::trace_events
