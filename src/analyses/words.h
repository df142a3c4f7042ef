// Texts of views: numbers as words ("8,772", "33.4%", "12.3 ms") for notes and advice, and search. Tables carry numbers with
// units and are formatted where they are shown; only sentences are formatted here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/message.h"

namespace sightline::analyses {

// 1234567 -> "1,234,567".
std::string count_words(std::int64_t count);

// count_words(3, "{} step", "{} steps"): "3 steps".
Message count_words(std::int64_t count, Template<1> singular, Template<1> plural);

// 0.3337 -> "33.4%".
std::string share_words(double share);

// Nanoseconds in the unit that suits: "850 ns", "12.3 us", "4.56 ms", "1.23 s".
std::string time_words(double ns);
inline std::string time_words(std::int64_t ns) { return time_words(static_cast<double>(ns)); }

// Bytes in binary units: "512 B", "31.7 GiB".
std::string bytes_words(double bytes);

// A number with `digits` decimals.
std::string number_words(double number, int digits);

// Nanoseconds since the Unix epoch as "2021-06-08 08:57:03.460 UTC".
std::string unix_time_words(std::int64_t unix_ns);

// A title that may be a name of the file, or one that a reader gave (stated::kOwnTitles, kOwnTitleTemplates).
Message own_title(std::string_view title);

// ---- search: a substring in any letter case; an empty search matches everything ----

inline char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool contains_text(std::string_view text, std::string_view search) {
  const auto same = [](char a, char b) { return lower_letter(a) == lower_letter(b); };
  return std::search(text.begin(), text.end(), search.begin(), search.end(), same) != text.end() || search.empty();
}

}  // namespace sightline::analyses
