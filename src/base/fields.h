// A line of text: its fields between separators, without the blanks around them, and without the case of its letters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/layers.h"

namespace sightline::base {

// The text without spaces, tabs and ends of lines at its beginning and end.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Only the letters of ASCII change.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// One more than there are separators in the text; any character of `separators` is one. The fields view `text`.
inline std::vector<std::string_view> split_fields(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    fields.push_back(trimmed(text.substr(0, end)));
    if (end == text.npos) return fields;
    text.remove_prefix(end + 1);
  }
}

}  // namespace sightline::base
