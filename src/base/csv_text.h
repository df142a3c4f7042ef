// CSV cells: quoting as in RFC 4180. A cell is never altered, whatever a spreadsheet makes of it.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::base {

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
