// The grammar of text profiles.
#include "tests/support/text_grammar.h"

#include <fmt/core.h>

#include <optional>
#include <stdexcept>

namespace sightline::tests {

namespace {

Attributes attributes_in(std::string_view text) {
  Attributes attributes;
  for (const std::string_view piece : split(text, ' ')) {
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos) {
      attributes.emplace(piece, "");
    } else {
      attributes.emplace(piece.substr(0, equals), piece.substr(equals + 1));
    }
  }
  return attributes;
}

std::optional<SliceKind> kind_named(std::string_view word, bool on_host) {
  static const std::map<std::string_view, SliceKind> host{{"op", SliceKind::op},
                                                          {"step", SliceKind::step},
                                                          {"python", SliceKind::python},
                                                          {"module", SliceKind::module},
                                                          {"data", SliceKind::data_loading},
                                                          {"annotation", SliceKind::annotation},
                                                          {"optimizer", SliceKind::optimizer},
                                                          {"comm", SliceKind::host_communication},
                                                          {"runtime", SliceKind::runtime},
                                                          {"overhead", SliceKind::overhead}};
  static const std::map<std::string_view, SliceKind> device{
      {"kernel", SliceKind::kernel},         {"memcpy", SliceKind::memcpy}, {"memset", SliceKind::memset},
      {"collective", SliceKind::collective}, {"sync", SliceKind::sync},     {"mark", SliceKind::device_annotation},
      {"measured", SliceKind::measurement}};
  const auto& kinds = on_host ? host : device;
  const auto found = kinds.find(word);
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

void refuse(std::string_view what, std::string_view text) {
  throw std::invalid_argument(fmt::format("text profile: {}: {}", what, text));
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  bool quoted = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == separator && depth == 0 && !quoted)) {
      const std::string_view piece = trim(text.substr(first, i - first));
      if (!piece.empty()) pieces.push_back(piece);
      first = i + 1;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    }
  }
  return pieces;
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

Attributes take_attributes(std::string_view& text) {
  if (text.empty() || text.back() != ']') return {};
  const std::size_t open = text.find(" [");
  if (open == std::string_view::npos) refuse("no name before the attributes", text);
  const Attributes attributes = attributes_in(text.substr(open + 2, text.size() - open - 3));
  text = trim(text.substr(0, open));
  return attributes;
}

TextSlice slice_in(std::string_view text, bool on_host) {
  TextSlice slice;
  const std::string_view whole = text;
  slice.attributes = take_attributes(text);
  const std::string_view times = take_word(text);
  const std::size_t dash = times.find('-');
  if (dash == std::string_view::npos || text.empty()) refuse("not START-END KIND NAME", whole);
  slice.start = number_in<Time>(times.substr(0, dash));
  slice.end = number_in<Time>(times.substr(dash + 1));
  slice.kind = on_host ? SliceKind::op : SliceKind::kernel;
  std::string_view rest = text;
  if (const auto kind = kind_named(take_word(rest), on_host); kind && !rest.empty()) {
    slice.kind = *kind;
    text = rest;
  }
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  slice.name = slice.kind == SliceKind::step ? fmt::format("step {}", text) : std::string(text);
  return slice;
}

}  // namespace sightline::tests
