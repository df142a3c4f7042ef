// parse_events: scans all windows of the events' array on all cores and puts the batches back in file order.
// The cuts between windows are guesses; each window's end is checked when its scan is done, in order, and where a
// window ended inside an event the rest is scanned again together with the next one. So the events found are
// exactly those of a whole-file scan, whatever the window size.
#pragma once

#include <string>
#include <vector>

#include "base/byte_source.h"
#include "readers/reader.h"
#include "readers/trace_events/event_batch.h"

namespace sightline::trace_events {

struct ParsedEvents {
  std::vector<EventBatch> batches;            // in file order
  std::vector<StringPool> strings;            // by worker
  std::vector<std::vector<RawTrack>> tracks;  // by worker
  std::string suffix;                         // text after the array's ']'
  bool array_closed = false;                  // the ']' was found
  std::int64_t end_offset = 0;                // where the text ended, in the decompressed file
};

// `head` is the text behind the array's '[' that was already read; its first byte stands at `offset`.
Result<ParsedEvents> parse_events(ByteSource& source, std::string head, std::int64_t offset, const ReadOptions& options);

}  // namespace sightline::trace_events
