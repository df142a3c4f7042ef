// Text: whole numbers in it, the order of names that contain numbers, UTF-8, and CSV cells.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::base {

// ---- whole numbers ----

// A double, the only number type of JavaScript, represents every whole number up to this one, but not the next.
inline constexpr std::int64_t kMostExactReal = std::int64_t{1} << 53;

// The decimal number in `text`; nullopt when the text is empty, contains other characters, or the number does not fit.
template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

// ---- natural order: rank2 before rank10 ----

// A strict weak order: digits are compared as numbers
// of any length, the rest byte by byte. Names that
// differ only in leading zeros are ordered as text.
bool natural_less(std::string_view a, std::string_view b);

// True when `text` is one or more decimal digits.
bool is_number(std::string_view text);

// Less than 0, 0 or more than 0. REQUIRES: is_number() of both.
int compare_numbers(std::string_view a, std::string_view b);

// ---- UTF-8 ----

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD, for a byte that is not UTF-8

// Length (1 to 4) of the valid sequence at the beginning of the text; 0 when that is not valid.
std::size_t utf8_length(std::string_view text);

// The text with each byte that is not UTF-8 replaced.
std::string to_utf8(std::string_view text);

// ---- CSV ----

// Appends a cell, quoted as in RFC 4180; its text is never altered, even if a spreadsheet would read it as a formula.
inline void append_csv_text(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// The shortest text that reads back the same. REQUIRES: a real is finite.
template <typename Number>
void append_csv_number(std::string& out, Number number) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace sightline::base
