// Reads the file of a dump. JSON that ends early is closed where its last whole call ends.
#include <simdjson.h>

#include <new>
#include <optional>

#include "base/input_file.h"
#include "base/text.h"
#include "formats/common/whole_text.h"
#include "formats/flight_recorder/dump.h"

namespace sightline::formats::flight_recorder {

namespace {

namespace dom = simdjson::dom;
using Kind = PickleValue::Kind;

constexpr std::int64_t kMostInline = std::int64_t{1} << 58;
constexpr int kDeepest = 8;  // of what a dump has: root, entries, call, sizes, size

bool is_pickle(std::string_view head) { return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5; }

// ---- JSON ----

// Gives the values of a JSON text to the sink, as an unpickler gives those of a pickle.
class JsonValues {
 public:
  JsonValues(StringPool& texts, DumpSink& sink) : texts_(texts), sink_(sink) {
    sink.integer = [this](PickleValue value) {
      if (value.is(Kind::integer)) return value.number();
      return value.is(Kind::wide) ? wide_[static_cast<std::size_t>(value.number())] : kUnknown;
    };
  }

  PickleValue value(const dom::element& from, int depth = 0) {
    switch (from.type()) {
      case dom::element_type::OBJECT: return depth < kDeepest ? object(from, depth) : PickleValue();
      case dom::element_type::ARRAY: return depth < kDeepest ? array(from, depth) : PickleValue();
      case dom::element_type::STRING: return PickleValue::text(texts_.intern(std::string_view(from)));
      case dom::element_type::INT64: return number(std::int64_t(from));
      case dom::element_type::BOOL: return {Kind::boolean, bool(from) ? 1 : 0};
      default: return {};
    }
  }

 private:
  PickleValue number(std::int64_t value) {
    if (value > -kMostInline && value < kMostInline) return {Kind::integer, value};
    wide_.push_back(value);
    return {Kind::wide, std::ssize(wide_) - 1};
  }

  PickleValue object(const dom::element& from, int depth) {
    std::vector<PickleValue> items;
    for (const auto& [key, member] : dom::object(from)) {
      items.push_back(PickleValue::text(texts_.intern(key)));
      items.push_back(value(member, depth + 1));
    }
    return items.empty() ? PickleValue(Kind::dict) : sink_.dict(Kind::dict, items);
  }

  PickleValue array(const dom::element& from, int depth) {
    std::vector<PickleValue> items;
    for (const dom::element item : dom::array(from)) items.push_back(value(item, depth + 1));
    return items.empty() ? PickleValue(Kind::list) : sink_.list(Kind::list, items);
  }

  StringPool& texts_;
  DumpSink& sink_;
  std::vector<std::int64_t> wide_;
};

// The text up to the last object that has ended, with what is open there closed; nullopt if it holds none.
std::optional<std::string> closed(std::string_view text) {
  std::string open, open_at_last;  // the closing brackets
  std::size_t last = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '[')) {
      open += c == '{' ? '}' : ']';
    } else if (!quoted && (c == '}' || c == ']')) {
      if (open.empty() || open.back() != c) break;
      open.pop_back();
      if (c == '}') {
        last = i + 1;
        open_at_last = open;
      }
    }
  }
  if (last == 0) return std::nullopt;
  return std::string(text.substr(0, last)) + std::string(open_at_last.rbegin(), open_at_last.rend());
}

Result<bool> read_json(ByteSource& source, const std::string& path, std::size_t most, Profile& profile, DumpSink& sink) {
  const Result<std::string> text = whole_text(source, path, most);
  if (!text) return text.error();
  dom::parser parser;
  dom::element root;
  auto failed = parser.parse(*text).get(root);
  if (failed == simdjson::MEMALLOC) throw std::bad_alloc();
  if (failed != simdjson::SUCCESS) {
    const std::optional<std::string> part = closed(*text);
    sink.dump.damage = "the file is not complete JSON";
    sink.dump.damaged_at = static_cast<std::int64_t>(text->size());
    if (!part || parser.parse(*part).get(root) != simdjson::SUCCESS)
      return Error{ErrorCode::malformed, say("not JSON: {}", std::string_view(simdjson::error_message(failed))), path + ":0"};
  }
  JsonValues values(profile.strings, sink);
  values.value(root);
  return true;
}

// ---- pickle ----

Result<bool> read_pickle(ByteSource& source, const std::string& path, Profile& profile, ReadProgress* progress, DumpSink& sink) {
  ByteStream in(source, path, progress);
  Unpickler unpickler(in, profile.strings, sink);
  sink.integer = [&unpickler](PickleValue value) { return unpickler.integer(value); };
  const Result<PickleValue> root = unpickler.read(path);
  if (!root) return root.error();
  sink.dump.cut_texts += unpickler.cut_texts();
  if (unpickler.damage()) {
    sink.dump.damage = *unpickler.damage();
    sink.dump.damaged_at = unpickler.damaged_at();
  }
  return true;
}

}  // namespace

bool looks_like_dump(std::string_view head) {
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  if (!is_pickle(head) && head.find_first_not_of(" \t\r\n") != head.find('{')) return false;
  return has("pg_config") || has("comm_lib_version") || has("collective_seq_id");
}

Result<Dump> read_dump(const std::string& path, std::size_t most_json, Profile& profile, ReadProgress* progress) {
  const Result<std::string> head = read_head(path, 3);
  if (!head) return head.error();
  const Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  DumpSink sink(profile.strings);
  const Result<bool> read = is_pickle(*head) ? read_pickle(**source, path, profile, progress, sink)
                                             : read_json(**source, path, most_json, profile, sink);
  if (!read) return read.error();
  if ((*source)->damage()) sink.dump.damage = *(*source)->damage();
  if (!sink.dump.is_dump && sink.dump.entries.empty())
    return Error{ErrorCode::malformed, "not the file of a flight recorder: it has neither entries nor pg_config", path + ":0"};
  return std::move(sink.dump);
}

}  // namespace sightline::formats::flight_recorder
