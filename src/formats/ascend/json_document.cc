// Reading whole, mending when that fails.
#include "formats/ascend/json_document.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/input_file.h"
#include "formats/trace_events/decimal.h"

namespace sightline::formats::ascend {

namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::int64_t kShareOfMemory = 24;  // three tenths are for what is read, and a tree takes up to seven times its text

std::string megabytes(std::size_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

// Blanks for control characters in strings, and quotes around N/A outside of them.
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

// Where JSON stops: simdjson does not tell, so the brackets and quotes are counted.
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

std::size_t most_json_bytes(const MemoryLimit* limit) {
  if (limit == nullptr || limit->bytes() == 0) return kMostBytes;
  return std::min(kMostBytes, static_cast<std::size_t>(limit->bytes() / kShareOfMemory));
}

Result<JsonDocument> JsonDocument::open(const std::string& path, std::size_t most) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  std::string text;
  for (bool more = true; more;) {
    const std::size_t had = text.size(), block = had == 0 ? std::size_t{1} << 14 : std::size_t{1} << 20;
    text.resize(had + block);
    const Result<std::size_t> read = (*source)->read(text.data() + had, block);
    if (!read) return read.error();
    more = *read == block;
    text.resize(had + *read);
    if (text.size() > most) {
      const auto size = static_cast<std::size_t>((*source)->file_size());
      return Error{ErrorCode::unsupported,
                   "the file of " + megabytes(size) + " is not read: it holds more than " + megabytes(most) + " of JSON", path};
    }
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  JsonDocument document;
  const auto first = document.parser_->parse(text).get(document.root_);
  if (first == simdjson::SUCCESS) return document;
  if (first == simdjson::MEMALLOC) throw std::bad_alloc();
  const auto again = document.parser_->parse(mended(text)).get(document.root_);
  if (again == simdjson::SUCCESS) return document;
  if (again == simdjson::MEMALLOC) throw std::bad_alloc();
  return Error{ErrorCode::malformed,
               text.empty() ? "the file is empty" : "not JSON: " + std::string(simdjson::error_message(again)),
               path + ":" + std::to_string(place_of_damage(text))};
}

double real_member(simdjson::dom::object object, std::string_view key) {
  simdjson::dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    return trace_events::parse_real(text).value_or(std::numeric_limits<double>::quiet_NaN());
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::string text_member(simdjson::dom::object object, std::string_view key) {
  simdjson::dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return {};
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value);
}

}  // namespace sightline::formats::ascend
