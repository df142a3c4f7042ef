// The Kineto reader: names, sniffing, and the order of the stages.
#include "readers/kineto/kineto_reader.h"

#include <algorithm>

#include "base/byte_source.h"
#include "readers/trace_events/attribution.h"
#include "readers/trace_events/collectives.h"
#include "readers/trace_events/parse_events.h"
#include "readers/trace_events/root_members.h"

namespace sightline {

namespace kineto {
namespace {

using namespace trace_events;

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
constexpr std::size_t kLongestPreamble = std::size_t{1} << 30;

std::string_view strip_suffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool claims(std::string_view file_name) {
  return file_name.ends_with(".pt.trace.json") || file_name.ends_with(".pt.trace.json.gz");
}

bool sniff(std::string_view, std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (head[first] == '{') {
    return head.find("\"traceEvents\"") != std::string_view::npos || head.find("\"schemaVersion\"") != std::string_view::npos ||
           head.find("\"deviceProperties\"") != std::string_view::npos;
  }
  return head[first] == '[' && head.find("\"ph\"") != std::string_view::npos;
}

// "<worker>[.<digits>].pt.trace.json[.gz]"; other names lose their extensions and are the worker.
ProfileName name(std::string_view file_name) {
  const std::string_view plain = strip_suffix(file_name, ".gz");
  if (!plain.ends_with(".pt.trace.json")) return {std::string(strip_suffix(plain, ".json")), ""};
  const std::string_view stem = strip_suffix(plain, ".pt.trace.json");
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || !is_number(stem.substr(dot + 1))) return {std::string(stem), ""};
  return {std::string(stem.substr(0, dot)), std::string(stem.substr(dot + 1))};
}

void set_stage(const ReadOptions& options, const char* stage) {
  if (options.progress != nullptr) options.progress->stage = stage;
}

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

// `cut_offset`: where the text ended too early, or kUnknown.
void note_file_damage(const std::optional<std::string>& damage, std::int64_t cut_offset, const char* what_is_cut,
                      Profile& profile) {
  if (damage)
    profile.add_problem(Severity::error, "damaged_compression", *damage + "; everything before it was read", 1, cut_offset);
  const StringId truncated = profile.strings.find("truncated");
  const bool reported = truncated != StringId::none && std::find(profile.problems.code.begin(), profile.problems.code.end(),
                                                                 truncated) != profile.problems.code.end();
  if (cut_offset != kUnknown && !reported) {
    profile.add_problem(Severity::error, "truncated", what_is_cut, 1, cut_offset);
  }
}

Result<std::unique_ptr<Profile>> read(const std::string& path, const ReadOptions& options) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  if (options.progress != nullptr) options.progress->bytes_total = (*source)->file_size();
  set_stage(options, "reading");
  std::string head;
  std::int64_t offset = 0;
  RootMembers members;
  const Result<bool> in_object = find_events(**source, path, head, offset, members);
  if (!in_object) return in_object.error();
  Result<ParsedEvents> parsed = parse_events(**source, std::move(head), offset, options);
  if (!parsed) return parsed.error();
  set_stage(options, "building tables");
  std::size_t at = 0;
  const bool whole = parsed->array_closed && (!*in_object || scan_root_members(parsed->suffix, at, members) == RootScan::ended);
  const std::int64_t cut_offset = whole ? kUnknown : parsed->end_offset;
  const char* what_is_cut = parsed->array_closed ? "the file ends among its members after the events; all events were read"
                                                 : "the file ends before its list of events does; everything before it was read";
  Assembled assembled = assemble(*std::move(parsed), members, options.threads);
  set_stage(options, "attributing device work");
  attribute(assembled);
  complete_collectives(assembled);
  Profile& profile = *assembled.profile;
  note_file_damage((*source)->damage(), cut_offset, what_is_cut, profile);
  profile.file = path;
  profile.format = "pytorch";
  if (profile.events == 0 && profile.problems.rows() != 0 && profile.slices.rows() == 0) {
    return Error{ErrorCode::malformed, "no event could be read: " + std::string(profile.text(profile.problems.message[0])),
                 path + ":" + std::to_string(offset)};
  }
  if (profile.events == 0) profile.add_problem(Severity::warning, "no_events", "the list of events is empty", 1, offset);
  return std::move(assembled.profile);
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

}  // namespace
}  // namespace kineto

Reader kineto_reader() {
  return {"pytorch", "PyTorch (Kineto) trace", kineto::claims, kineto::sniff, kineto::name, kineto::read, kineto::event_text};
}

}  // namespace sightline
