// ValueEnd: where one JSON value ends whose text comes in pieces, of which none is kept. It counts brackets outside of strings,
// so a value may be of any size and depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sightline::formats::trace_events {

class ValueEnd {
 public:
  // How many bytes of the next piece belong to the value, which begins with the first byte of the first piece: all, unless it
  // ends here (see ended).
  std::size_t feed(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && !ended_) {
      if (quoted_) {
        at = skip_string(text, at);
      } else {
        at += take(text[at]);
      }
    }
    return at;
  }

  bool ended() const { return ended_; }

 private:
  // Behind the closing quote, or the piece's end.
  std::size_t skip_string(std::string_view text, std::size_t at) {
    if (escaped_) {
      escaped_ = false;
      return at + 1;
    }
    at = text.find_first_of("\"\\", at);
    if (at == std::string_view::npos) return text.size();
    escaped_ = text[at] == '\\';
    quoted_ = escaped_;
    if (!quoted_ && depth_ == 0) ended_ = true;
    return at + 1;
  }

  // 1, or 0 for what follows a bare word.
  std::size_t take(char c) {
    const bool closes = c == '}' || c == ']';
    if (depth_ == 0 && (closes || c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t')) {
      ended_ = true;
      return 0;
    }
    if (c == '"') quoted_ = true;
    if (c == '{' || c == '[') ++depth_;
    if (closes && --depth_ == 0) ended_ = true;
    return 1;
  }

  std::int64_t depth_ = 0;
  bool quoted_ = false, escaped_ = false, ended_ = false;
};

}  // namespace sightline::formats::trace_events
