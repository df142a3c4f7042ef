// Finding the list of events, and what its end says about the file.
#include "readers/trace_events/trace_file.h"

#include <algorithm>

#include "base/byte_source.h"

namespace sightline::trace_events {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
constexpr std::size_t kLongestPreamble = std::size_t{1} << 30;

// Reads until the events' array begins; true when it is a member of the root object, false when it is the root.
// `head` is left holding the text behind its '[' and `offset` where that is.
Result<bool> find_events(ByteSource& source, const std::string& path, std::string& head, std::int64_t& offset,
                         RootMembers& members) {
  auto fail = [&](std::int64_t at, std::string message) {
    return Error{ErrorCode::malformed, std::move(message), path + ":" + std::to_string(at)};
  };
  bool more = true;
  auto grow = [&](std::size_t size) -> Result<bool> {
    const std::size_t had = head.size();
    head.resize(had + size);
    Result<std::size_t> got = source.read(head.data() + had, size);
    if (!got) return got.error();
    head.resize(had + *got);
    more = *got == size;
    return true;
  };
  if (Result<bool> read = grow(kHeadBytes); !read) return read.error();
  std::size_t at = head.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  at = head.find_first_not_of(" \t\r\n", at);
  if (at == std::string::npos) {
    if (source.damage()) return fail(0, *source.damage());
    return fail(0, head.empty() ? "the file is empty" : "the file holds only blanks");
  }
  const bool in_object = head[at] == '{';
  if (head[at] == '[') {
    ++at;
  } else if (in_object) {
    ++at;
    RootScan scan = scan_root_members(head, at, members);
    while (scan == RootScan::need_more && more && head.size() < kLongestPreamble) {
      if (Result<bool> read = grow(std::max(head.size(), kHeadBytes)); !read) return read.error();
      scan = scan_root_members(head, at, members);
    }
    if (scan == RootScan::ended) return fail(static_cast<std::int64_t>(at), "not a trace: the root object has no traceEvents");
    if (scan == RootScan::need_more) {
      return fail(static_cast<std::int64_t>(head.size()),
                  "the file ends before its traceEvents" + (source.damage() ? " (" + *source.damage() + ")" : std::string()));
    }
    if (scan == RootScan::not_json) return fail(static_cast<std::int64_t>(at), "not JSON: expected a member of the root object");
  } else {
    return fail(static_cast<std::int64_t>(at), "not a trace: expected '{' or '['");
  }
  offset = static_cast<std::int64_t>(at);
  head.erase(0, at);
  return in_object;
}

}  // namespace

Result<TraceFile> read_trace_file(const std::string& path, const ReadOptions& options) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  if (options.progress != nullptr) options.progress->bytes_total = (*source)->file_size();
  set_stage(options, "reading");
  TraceFile file;
  std::string head;
  const Result<bool> in_object = find_events(**source, path, head, file.offset, file.members);
  if (!in_object) return in_object.error();
  Result<ParsedEvents> parsed = parse_events(**source, std::move(head), file.offset, options);
  if (!parsed) return parsed.error();
  std::size_t at = 0;
  const bool whole =
      parsed->array_closed && (!*in_object || scan_root_members(parsed->suffix, at, file.members) == RootScan::ended);
  const std::size_t more = whole ? parsed->suffix.find_first_not_of(" \t\r\n", *in_object ? at + 1 : 0) : std::string::npos;
  if (more != std::string::npos) file.end_offset = parsed->end_offset - static_cast<std::int64_t>(parsed->suffix.size() - more);
  file.cut_offset = whole ? kUnknown : parsed->end_offset;
  file.what_is_cut = parsed->array_closed ? "the file ends among its members after the events; all events were read"
                                          : "the file ends before its list of events does; everything before it was read";
  file.damage = (*source)->damage();
  file.parsed = *std::move(parsed);
  return file;
}

void note_file_damage(const TraceFile& file, Profile& profile) {
  if (file.damage) {
    profile.add_problem(Severity::error, "damaged_compression", *file.damage + "; everything before it was read", 1,
                        file.cut_offset);
  }
  const StringId truncated = profile.strings.find("truncated");
  const bool reported = truncated != StringId::none && std::find(profile.problems.code.begin(), profile.problems.code.end(),
                                                                 truncated) != profile.problems.code.end();
  if (file.cut_offset != kUnknown && !reported) {
    profile.add_problem(Severity::error, "truncated", file.what_is_cut, 1, file.cut_offset);
  }
  if (file.end_offset != kUnknown) {
    profile.add_problem(Severity::warning, "trailing_bytes", "the file goes on after the end of the trace; that was not read", 1,
                        file.end_offset);
  }
}

Result<std::string> event_text(const std::string& path, std::int64_t at) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  Result<std::size_t> skipped = (*source)->skip(at);
  if (!skipped) return skipped.error();
  std::string text;
  std::size_t scanned = 0;
  int depth = 0;
  bool quoted = false;
  while (true) {
    const std::size_t had = text.size();
    text.resize(had + 4096);
    Result<std::size_t> got = (*source)->read(text.data() + had, 4096);
    if (!got) return got.error();
    text.resize(had + *got);
    for (; scanned < text.size(); ++scanned) {
      const char c = text[scanned];
      if (c == '\\' && quoted) {
        ++scanned;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '{' || c == '[')) {
        ++depth;
      } else if (!quoted && (c == '}' || c == ']') && --depth == 0) {
        text.resize(scanned + 1);
        return text;
      }
    }
    if (*got == 0) return Error{ErrorCode::malformed, "the event ends with the file", path + ":" + std::to_string(at)};
  }
}

}  // namespace sightline::trace_events
