// TraceFile: from the bytes of a file of Chrome trace events to raw events, and from a slice back to its event's text. The
// root is an object whose member traceEvents lists the events, or the list itself.
#pragma once

#include <optional>
#include <string>

#include "formats/trace_events/parse_events.h"
#include "formats/trace_events/root_members.h"

namespace sightline::formats::trace_events {

struct TraceFile {
  ParsedEvents parsed;
  RootMembers members;
  std::int64_t offset = 0;             // where the list of events begins
  std::int64_t cut_offset = kUnknown;  // where the text ended too early
  const char* what_is_cut = "";
  std::int64_t end_offset = kUnknown;  // where the trace ended and more text followed
  std::optional<Message> damage;       // of the compression
  ProblemTally long_members;           // of the root object, that were left out
};

// An Error names the byte at which the file stops being a trace.
Result<TraceFile> read_trace_file(const std::string& path, const ReadOptions& options);

// Reports the damage of the whole file as rows of the problems table. REQUIRES: the events were assembled, which reports
// theirs.
void note_file_damage(const TraceFile& file, Profile& profile);

// The event that begins at byte `at` of the (decompressed) file.
Result<std::string> event_text(const std::string& path, std::int64_t at);

}  // namespace sightline::formats::trace_events
