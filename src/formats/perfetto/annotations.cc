// Annotations: keys by number or by name, values of every kind.
#include "formats/perfetto/annotations.h"

#include <fmt/format.h>

#include <iterator>

#include "base/json_writer.h"
#include "base/text.h"
#include "formats/perfetto/fields.h"

namespace sightline::formats::perfetto {

namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kMostKeys = 10'000;   // that are remembered
constexpr std::size_t kLongestNamed = 256;  // bytes of a text that a list or an object names by its number

void append_quoted(std::string& text, std::string_view value) { append_json_string(text, to_utf8(value)); }

}  // namespace

std::string_view AnnotationReader::key_text(ProtoSpan annotation) const {
  std::string_view name;
  while (annotation.next()) {
    if (annotation.field() == annotation_field::kKey) name = annotation.bytes();
    if (annotation.field() != annotation_field::kKeyId) continue;
    if (const Key* known = sequence_.keys.find(annotation.unsigned_integer())) name = known->name;
  }
  return name;
}

const Key& AnnotationReader::key(ProtoSpan annotation, std::unordered_map<std::string, Key>& known_keys) {
  static const Key kNone;
  while (annotation.next()) {
    if (annotation.field() == annotation_field::kKeyId) {
      const Key* known = sequence_.keys.find(annotation.unsigned_integer());
      return known != nullptr ? *known : kNone;
    }
    if (annotation.field() != annotation_field::kKey) continue;
    unknown_.assign(annotation.bytes());
    if (const auto found = known_keys.find(unknown_); found != known_keys.end()) return found->second;
    if (known_keys.size() >= kMostKeys) known_keys.clear();
    return known_keys.emplace(unknown_, key_named(unknown_)).first->second;
  }
  return kNone;
}

// A list may name a long text that the trace has once without end.
void AnnotationReader::append_named(std::string& text, std::string_view named) {
  was_cut_ |= named.size() > kLongestNamed;
  append_quoted(text, named.substr(0, kLongestNamed));
}

bool AnnotationReader::value(ProtoSpan annotation, std::string& text) {
  text.clear();
  ProtoSpan fields = annotation;
  while (fields.next()) {  // texts without quotes
    if (fields.field() == annotation_field::kText) {
      text = to_utf8(fields.bytes());
      return true;
    }
    if (fields.field() == annotation_field::kTextId) {
      const std::string* known = sequence_.texts.find(fields.unsigned_integer());
      if (known != nullptr) text = *known;
      return known != nullptr;
    }
    if (fields.field() == annotation_field::kJson) {
      text = to_utf8(fields.bytes());
      if (text.size() >= 2 && text.front() == '"' && text.back() == '"' && text.find('\\') == text.npos)
        text = text.substr(1, text.size() - 2);
      return true;
    }
  }
  return write(annotation, text, 0);
}

bool AnnotationReader::write(ProtoSpan annotation, std::string& text, int depth) {
  if (depth > kDeepest) return false;
  char closing = '\0';  // of a list or an object, which has begun
  const auto begin = [&](char open, char close) {
    text += closing == '\0' ? open : ',';
    if (closing != '\0') text += ' ';
    closing = close;
  };
  while (annotation.next()) {
    switch (annotation.field()) {
      case annotation_field::kBool: text += annotation.unsigned_integer() != 0 ? "true" : "false"; return true;
      case annotation_field::kUnsigned:
      case annotation_field::kPointer: fmt::format_to(std::back_inserter(text), "{}", annotation.unsigned_integer()); return true;
      case annotation_field::kInteger: fmt::format_to(std::back_inserter(text), "{}", annotation.integer()); return true;
      case annotation_field::kReal: fmt::format_to(std::back_inserter(text), "{}", annotation.real()); return true;
      case annotation_field::kText: append_quoted(text, annotation.bytes()); return true;
      case annotation_field::kTextId: {
        const std::string* known = sequence_.texts.find(annotation.unsigned_integer());
        append_named(text, known != nullptr ? std::string_view(*known) : std::string_view());
        return true;
      }
      case annotation_field::kJson: text += to_utf8(annotation.bytes()); return true;
      case annotation_field::kNested: return write_nested(annotation.message(), text, depth + 1);
      case annotation_field::kEntries:
        begin('{', '}');
        append_named(text, key_text(annotation.message()));
        text += ": ";
        if (!write(annotation.message(), text, depth + 1)) text += "null";
        break;
      case annotation_field::kItems:
        begin('[', ']');
        if (!write(annotation.message(), text, depth + 1)) text += "null";
        break;
      default: break;
    }
  }
  if (closing != '\0') text += closing;
  return closing != '\0';
}

// The older form of lists and objects: keys and values apart.
bool AnnotationReader::write_nested(ProtoSpan value, std::string& text, int depth) const {
  constexpr unsigned kKind = 1, kKeys = 2, kValues = 3, kItems = 4, kInteger = 5, kReal = 6, kBool = 7, kText = 8;
  if (depth > kDeepest) return false;
  std::uint64_t kind = 0;
  std::vector<std::string_view> keys, values;
  while (value.next()) {
    switch (value.field()) {
      case kKind: kind = value.unsigned_integer(); break;
      case kKeys: keys.push_back(value.bytes()); break;
      case kValues:
      case kItems: values.push_back(value.bytes()); break;
      case kInteger: fmt::format_to(std::back_inserter(text), "{}", value.integer()); return true;
      case kReal: fmt::format_to(std::back_inserter(text), "{}", value.real()); return true;
      case kBool: text += value.unsigned_integer() != 0 ? "true" : "false"; return true;
      case kText: append_quoted(text, value.bytes()); return true;
      default: break;
    }
  }
  const bool is_object = kind == 1;
  if (kind == 0) return false;
  text += is_object ? '{' : '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ", ";
    if (is_object) append_quoted(text, i < keys.size() ? keys[i] : std::string_view());
    if (is_object) text += ": ";
    if (!write_nested(ProtoSpan(values[i]), text, depth + 1)) text += "null";
  }
  text += is_object ? '}' : ']';
  return true;
}

std::string& ArgumentTexts::text(trace_events::Arg arg) {
  event_.present |= trace_events::Event::bit(arg);
  std::string& text = texts_[static_cast<std::size_t>(arg)];
  text.clear();
  return text;
}

void ArgumentTexts::finish() {
  for (std::uint64_t left = event_.present; left != 0; left &= left - 1) {
    const auto arg = static_cast<std::size_t>(__builtin_ctzll(left));
    event_.args[arg] = texts_[arg];
  }
}

}  // namespace sightline::formats::perfetto
