// parse_events: scans all windows of the events' array on all cores and puts the batches back in file order.
// The cuts between windows are guesses; each window's end is checked when its scan is done, in order, and where a
// window ended inside an event the rest is scanned again together with the next one. So the events found are
// exactly those of a whole-file scan, whatever the window size.
#pragma once

#include <string>
#include <vector>

#include "base/input_file.h"
#include "formats/reader.h"
#include "formats/trace_events/event_batch.h"
#include "formats/trace_events/root_members.h"

namespace sightline::formats::trace_events {

// Where the list of events begins.
struct Beginning {
  std::string text;         // behind its '[', that was already read
  std::int64_t offset = 0;  // of that text, in the decompressed file
  bool in_object = false;   // the list is a member of the root object; else it is the root
};

struct ParsedEvents {
  std::vector<EventBatch> batches;            // in file order
  std::vector<StringPool> strings;            // by worker
  std::vector<std::vector<RawTrack>> tracks;  // by worker
  bool array_closed = false;                  // the ']' was found
  bool root_ended = false;                    // and behind it the '}' of the root object, if that is one
  std::int64_t more_offset = kUnknown;        // where the text goes on behind that
  std::int64_t long_members = 0;              // of it, that were stepped over
  std::int64_t first_long_member = kUnknown;  // where the first is
  std::int64_t end_offset = 0;                // where the text ended, in the decompressed file
};

// What members there are behind the events is added to `members`.
Result<ParsedEvents> parse_events(ByteSource& source, Beginning beginning, RootMembers& members, const ReadOptions& options);

}  // namespace sightline::formats::trace_events
