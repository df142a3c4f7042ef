// The grammar of text profiles (text_profile.h): lines to lanes of slices, without any meaning yet.
#pragma once

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/tables.h"

namespace sightline::tests {

using Attributes = std::map<std::string, std::string, std::less<>>;

struct TextSlice {
  Time start = 0;
  Time end = 0;
  SliceKind kind = SliceKind::op;
  std::string name;
  Attributes attributes;
};

// Throws std::invalid_argument.
[[noreturn]] void refuse(std::string_view what, std::string_view text);

std::string_view trim(std::string_view text);

// Pieces of `text` between separators outside of brackets and quotes.
std::vector<std::string_view> split(std::string_view text, char separator);

// Removes and returns the first word of `text`.
std::string_view take_word(std::string_view& text);

// Removes and returns "[key=value flag]" at the end of `text`.
Attributes take_attributes(std::string_view& text);

TextSlice slice_in(std::string_view text, bool on_host);

template <typename Number>
Number number_in(std::string_view text) {
  text = trim(text);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) refuse("not a number", text);
  return number;
}

}  // namespace sightline::tests
