// Decoding UTF-8 and measuring it.
#include "output/terminal_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sightline::output {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Takes the first character off `text`, which is not empty.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 1 || length == 0 || length > text.size()) {
    text.remove_prefix(1);
    return length == 1 ? first : kReplacement;
  }
  char32_t character = first & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      text.remove_prefix(i);
      return kReplacement;
    }
    character = character << 6 | (byte(i) & 0x3F);
  }
  text.remove_prefix(length);
  return character;
}

std::size_t character_width(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                        {0x2E80, 0xA4CF},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE4F},
                                        {0xFF00, 0xFF60},
                                        {0xFFE0, 0xFFE6},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};
  if ((c >= 0x300 && c <= 0x36F) || c == 0x200B || c == 0xFE0F) return 0;
  const bool wide = std::any_of(kWide.begin(), kWide.end(), [&](Range r) { return c >= r.first && c <= r.last; });
  return wide ? 2 : 1;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The longest front of `text` that takes at most `width` columns.
std::string_view front_of(std::string_view text, std::size_t width) {
  std::string_view rest = text;
  std::size_t kept = 0;
  for (std::size_t used = 0; !rest.empty(); kept = text.size() - rest.size()) {
    used += character_width(take_character(rest));
    if (used > width) break;
  }
  return text.substr(0, kept);
}

// The shortest back of `text` that leaves out everything beyond the last `width` columns.
std::string_view back_of(std::string_view text, std::size_t width) {
  std::size_t excess = display_width(text);
  while (excess > width) excess -= character_width(take_character(text));
  return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  if (is_ascii(text)) return text.size();
  std::size_t width = 0;
  while (!text.empty()) width += character_width(take_character(text));
  return width;
}

std::string printable(std::string_view text) {
  constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_character(text);
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
    } else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == kReplacement) {
      out += kReplacementBytes;
    } else {
      out += before.substr(0, before.size() - text.size());
    }
  }
  return out;
}

std::string cut_middle(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  const std::size_t back = (width - 1) / 3;
  std::string cut(front_of(text, width - 1 - back));
  cut += "…";
  cut += back_of(text, back);
  return cut;
}

std::string share_bar(double share, std::size_t width) {
  constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0)) return "";
  const auto eighths = static_cast<std::size_t>(std::lround(std::min(share, 1.0) * static_cast<double>(width) * 8));
  std::string bar;
  for (std::size_t i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kEighths[eighths % 8];
  return bar;
}

}  // namespace sightline::output
