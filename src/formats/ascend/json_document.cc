// Reads a document whole; repairs it if that fails. Then the metadata of a recording.
#include "formats/ascend/json_document.h"

#include <algorithm>
#include <new>

#include "base/input_file.h"
#include "formats/common/decimal.h"
#include "formats/common/whole_text.h"

namespace sightline::formats::ascend {

// ---- documents ----

namespace {

// Writes blanks for control characters in strings, and quotes around N/A outside of them.
std::string mended(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 64);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      out += c;
      if (++i < text.size()) out += text[i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && text.substr(i, 3) == "N/A") {
      out += "\"N/A\"";
      i += 2;
    } else {
      out += quoted && static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

// Where the JSON stops. simdjson does not report it, so this counts brackets and quotes.
std::size_t place_of_damage(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      if (depth < 0) return i;
    }
  }
  return depth > 0 || quoted ? text.size() : 0;
}

}  // namespace

Result<JsonDocument> JsonDocument::open(const std::string& path, std::size_t most) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  Result<std::string> whole = whole_text(**source, path, most);
  if (!whole) return whole.error();
  std::string& text = *whole;
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  JsonDocument document;
  const auto first = document.parser_->parse(text).get(document.root_);
  if (first == simdjson::SUCCESS) return document;
  if (first == simdjson::MEMALLOC) throw std::bad_alloc();
  const auto again = document.parser_->parse(mended(text)).get(document.root_);
  if (again == simdjson::SUCCESS) return document;
  if (again == simdjson::MEMALLOC) throw std::bad_alloc();
  return Error{ErrorCode::malformed,
               text.empty() ? "the file is empty" : say("not JSON: {}", std::string_view(simdjson::error_message(again))),
               path + ":" + std::to_string(place_of_damage(text))};
}

double real_member(simdjson::dom::object object, std::string_view key) {
  simdjson::dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return kUnknownNumber;
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    return parse_real(text).value_or(kUnknownNumber);
  }
  return kUnknownNumber;
}

std::string text_member(simdjson::dom::object object, std::string_view key) {
  simdjson::dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return {};
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value);
}

// ---- about the recording ----

namespace {

namespace dom = simdjson::dom;

constexpr int kDeepest = 6;

void add_leaves(dom::element value, const std::string& path, int depth, Profile& profile) {
  dom::object members;
  if (depth < kDeepest && value.get(members) == simdjson::SUCCESS) {
    for (const auto& [key, member] : members) {
      add_leaves(member, path.empty() ? std::string(key) : path + '.' + std::string(key), depth + 1, profile);
    }
    return;
  }
  std::string_view text;
  profile.metadata.key.push_back(profile.strings.intern(path));
  profile.metadata.value.push_back(
      profile.strings.intern(value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value)));
}

// Stated by the profiler, or by the launcher among the arguments of the job.
void add_world_size(dom::element root, Profile& profile) {
  dom::object whole, arguments;
  if (root.get(whole) != simdjson::SUCCESS) return;
  const auto take = [&](dom::object from) {
    const std::int64_t size = parse_integer(text_member(from, "world_size")).value_or(kUnknown);
    if (size > 0) profile.world_size = size;
  };
  if (whole["distributed_args"].get(arguments) == simdjson::SUCCESS) take(arguments);
  take(whole);
}

void note_unread_setup(const Error& error, Profile& profile) {
  profile.add_problem(Severity::warning, "unreadable_file",
                      say("{}; how the recording was set up is not known", error.to_string()), 1, 0);
}

}  // namespace

void add_profiler_info(const std::string& path, std::size_t most_json, Profile& profile) {
  const Result<JsonDocument> document = JsonDocument::open(path, most_json);
  if (!document) return note_unread_setup(document.error(), profile);
  add_leaves(document->root(), "", 0, profile);
  dom::object root;
  if (document->root().get(root) == simdjson::SUCCESS) {
    const std::int64_t rank = parse_integer(text_member(root, "rank_id")).value_or(kUnknown);
    if (rank >= 0) profile.rank = rank;
  }
}

void add_profiler_metadata(const std::string& path, std::size_t most_json, Profile& profile) {
  const Result<JsonDocument> document = JsonDocument::open(path, most_json);
  if (!document) return note_unread_setup(document.error(), profile);
  add_leaves(document->root(), "", 0, profile);
  add_world_size(document->root(), profile);
  dom::object groups;
  if (document->root()["parallel_group_info"].get(groups) != simdjson::SUCCESS) return;
  Collectives& c = profile.collectives;
  for (const auto& [key, value] : groups) {
    dom::object group;
    if (value.get(group) != simdjson::SUCCESS) continue;
    const StringId id = profile.strings.find(key);
    const StringId name = profile.strings.intern(text_member(group, "group_name"));
    const StringId ranks = profile.strings.intern(text_member(group, "global_ranks"));
    dom::array list;
    const bool listed = group["global_ranks"].get(list) == simdjson::SUCCESS;
    for (Row i = 0; i < c.rows() && id != StringId::none; ++i) {
      if (c.group[i] != id) continue;
      c.group_about[i] = name;
      c.group_ranks[i] = ranks;
      if (listed) c.group_size[i] = static_cast<std::int64_t>(list.size());
    }
    Transfers& t = profile.transfers;
    for (Row i = 0; i < t.rows() && id != StringId::none; ++i) {
      if (t.group[i] == id) t.group_ranks[i] = ranks;
    }
  }
}

}  // namespace sightline::formats::ascend
