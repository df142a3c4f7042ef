// Finds the list of events, and reports what the end of the file shows.
#include "formats/trace_events/trace_file.h"

#include <algorithm>

#include "base/input_file.h"
#include "formats/read_context.h"

namespace sightline::formats::trace_events {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 14, kMostAtOnce = std::size_t{1} << 20;

// Reads until the events' array begins.
Result<Beginning> find_events(ByteSource& source, const std::string& path, TraceFile& file) {
  const auto fail = [&](std::int64_t at, TemplateMessage message) {
    return Error{ErrorCode::malformed, std::move(message), path + ":" + std::to_string(at)};
  };
  std::string piece(kHeadBytes, '\0');
  const auto read = [&]() -> Result<bool> {
    const Result<std::size_t> got = source.read(piece.data(), piece.size());
    if (!got) return got.error();
    const bool more = *got == piece.size();
    piece.resize(*got);
    return more;
  };
  Result<bool> more = read();
  if (!more) return more.error();
  std::size_t at = piece.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  at = piece.find_first_not_of(" \t\r\n", at);
  if (at == std::string::npos) {
    if (source.damage()) return fail(0, *source.damage());
    return fail(0, piece.empty() ? "the file is empty" : "the file contains only blanks");
  }
  const auto begin = static_cast<std::int64_t>(at);
  if (piece[at] == '[') return Beginning{piece.substr(at + 1), begin + 1, false};
  if (piece[at] != '{') return fail(begin, "not a trace: expected '{' or '['");
  RootText root(file.members, begin + 1);
  RootScan scan = root.add(std::string_view(piece).substr(at + 1));
  while (scan == RootScan::need_more && *more) {
    piece.resize(std::min(2 * piece.size(), kMostAtOnce));
    if (more = read(); !more) return more.error();
    scan = root.add(piece);
  }
  file.long_members.add(root.skipped(), root.first_skipped());
  if (scan == RootScan::found_events) return Beginning{root.take_rest(), root.offset(), true};
  if (scan == RootScan::ended) return fail(root.offset(), "not a trace: the root object has no traceEvents");
  if (scan == RootScan::not_json) return fail(root.offset(), "not JSON: expected a member of the root object");
  return fail(root.offset(), source.damage() ? say("the file ends before its traceEvents ({})", *source.damage())
                                             : "the file ends before its traceEvents");
}

}  // namespace

Result<TraceFile> read_trace_file(const std::string& path, const ReadOptions& options) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  if (options.progress != nullptr) options.progress->bytes_total = (*source)->file_size();
  set_stage(options, "reading");
  TraceFile file;
  Result<Beginning> beginning = find_events(**source, path, file);
  if (!beginning) return beginning.error();
  file.offset = beginning->offset;
  Result<ParsedEvents> parsed = parse_events(**source, *std::move(beginning), file.members, options);
  if (!parsed) return parsed.error();
  file.long_members.add(parsed->long_members, parsed->first_long_member);
  file.end_offset = parsed->more_offset;
  const bool stopped = options.progress != nullptr && options.progress->memory.was_reached();
  file.cut_offset = parsed->root_ended || stopped ? kUnknown : parsed->end_offset;
  file.what_is_cut = parsed->array_closed ? "the file ends among its members after the events; all events were read"
                                          : "the file ends before its list of events does; everything before it was read";
  file.damage = (*source)->damage();
  file.parsed = *std::move(parsed);
  return file;
}

void note_file_damage(const TraceFile& file, Profile& profile) {
  if (file.long_members.count != 0) {
    profile.add_problem(Severity::warning, "long_member",
                        "members of the root object that are longer than 16 MiB, alone or together, were left out",
                        file.long_members.count, file.long_members.first_offset);
  }
  if (file.damage) note_damaged_compression(profile, "", *file.damage, file.cut_offset);
  const StringId truncated = profile.strings.find("truncated");
  const bool reported = truncated != StringId::none && std::find(profile.problems.code.begin(), profile.problems.code.end(),
                                                                 truncated) != profile.problems.code.end();
  if (file.cut_offset != kUnknown && !reported) {
    profile.add_problem(Severity::error, "truncated", file.what_is_cut, 1, file.cut_offset);
  }
  if (file.end_offset != kUnknown) {
    profile.add_problem(Severity::warning, "trailing_bytes",
                        "the file continues after the end of the trace; that part was not read", 1, file.end_offset);
  }
}

Result<std::string> event_text(const std::string& path, std::int64_t at) {
  if (at < 0) return Error{ErrorCode::not_found, "the file has no event for this slice", path};
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

}  // namespace sightline::formats::trace_events
