// What the text parameters of views mean: a search is a substring in any letter case; an empty one lets all pass.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sightline::analyses {

inline char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool contains_text(std::string_view text, std::string_view search) {
  const auto same = [](char a, char b) { return lower_letter(a) == lower_letter(b); };
  return std::search(text.begin(), text.end(), search.begin(), search.end(), same) != text.end() || search.empty();
}

}  // namespace sightline::analyses
