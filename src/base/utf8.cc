// Sequences as the Unicode standard has them: no overlong ones, no surrogates, nothing above U+10FFFF.
#include "base/utf8.h"

namespace sightline::base {

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char c = at(0);
  if (c < 0x80) return 1;
  const std::size_t need = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
  if (need == 0 || c > 0xF4 || need > text.size()) return 0;
  for (std::size_t i = 1; i < need; ++i) {
    if ((at(i) & 0xC0) != 0x80) return 0;
  }
  if ((c == 0xE0 && at(1) < 0xA0) || (c == 0xED && at(1) > 0x9F) || (c == 0xF0 && at(1) < 0x90) || (c == 0xF4 && at(1) > 0x8F))
    return 0;
  return need;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    out += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace sightline::base
