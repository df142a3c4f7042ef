// Splits the text by brackets outside of strings; a JSON parser reads the rows.
#include "formats/tables/json_rows.h"

#include <simdjson.h>

namespace sightline::formats::json_rows {

namespace {

constexpr std::size_t kLongestRow = std::size_t{16} << 20;

class Splitter {
 public:
  explicit Splitter(ByteStream& in) : in_(in) { advance(); }

  bool at_end() const { return byte_ < 0; }
  int byte() const { return byte_; }
  std::int64_t offset() const { return in_.position() - 1; }  // of byte()
  void advance() { byte_ = in_.next(); }
  void skip_blanks() {
    while (byte_ == ' ' || byte_ == '\t' || byte_ == '\r' || byte_ == '\n') advance();
  }
  bool expect(char wanted, const char* where) {
    skip_blanks();
    if (at_end()) return false;
    if (byte_ != wanted) {
      in_.fail(say("expected '{}' {}", std::string(1, wanted), where));
      return false;
    }
    advance();
    return true;
  }

  // A string, list, object or bare word from here on. Its text goes to `text`, unless that is null or the text is longer
  // than any row. False at the end of the file.
  bool value(std::string* text) {
    int depth = 0;
    bool quoted = false;
    do {
      if (at_end()) return false;
      const auto c = static_cast<char>(byte_);
      const bool ends_word = depth == 0 && !quoted && (c == ',' || c == '}' || c == ']');
      if (ends_word) return true;
      if (text != nullptr) {
        *text += c;
        if (text->size() > kLongestRow) {
          *text = {};
          text = nullptr;
        }
      }
      advance();
      if (quoted && c == '\\') {
        if (at_end()) return false;
        if (text != nullptr) *text += static_cast<char>(byte_);
        advance();
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted) {
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      }
      const bool whole = depth == 0 && !quoted && (c == '"' || c == '}' || c == ']');
      if (whole) return true;
    } while (true);
  }

 private:
  ByteStream& in_;
  int byte_ = -1;
};

using Take = std::function<void(const std::string&, std::string&, std::int64_t)>;
using TakeOther = std::function<void(const std::string&, const std::string&)>;

bool take_object(Splitter& splitter, const std::string& section, std::string& row, const Take& take) {
  const std::int64_t offset = splitter.offset();
  row.clear();
  if (!splitter.value(&row)) return false;
  row.reserve(row.size() + simdjson::SIMDJSON_PADDING);
  take(section, row, offset);
  return true;
}

// To the ',' or the closing bracket after a member; true if another member follows.
bool another(Splitter& splitter, char closing, ByteStream& in, bool& ended) {
  splitter.skip_blanks();
  ended = splitter.at_end();
  if (ended) return false;
  if (splitter.byte() == ',') {
    splitter.advance();
    splitter.skip_blanks();
    return true;
  }
  if (splitter.byte() != closing) in.fail(say("expected ',' or '{}'", std::string(1, closing)));
  splitter.advance();
  return false;
}

// False at the file's end.
bool take_section(Splitter& splitter, const std::string& section, std::string& row, ByteStream& in, const Take& take,
                  const TakeOther& take_other) {
  splitter.skip_blanks();
  if (splitter.byte() == '{') return take_object(splitter, section, row, take);
  if (splitter.byte() != '[') {
    row.clear();
    if (!splitter.value(&row)) return false;
    if (take_other) take_other(section, row);
    return true;
  }
  splitter.advance();
  splitter.skip_blanks();
  if (splitter.byte() == ']') {
    splitter.advance();
    return true;
  }
  bool ended = false;
  do {
    if (in.failed()) return false;
    if (!(splitter.byte() == '{' ? take_object(splitter, section, row, take) : splitter.value(nullptr))) return false;
  } while (another(splitter, ']', in, ended));
  return !ended;
}

}  // namespace

bool for_each_row(ByteStream& in, const Take& take, const TakeOther& take_other) {
  Splitter splitter(in);
  if (!splitter.expect('{', "at the beginning")) return false;
  splitter.skip_blanks();
  if (splitter.byte() == '}') return true;
  std::string section, row;
  bool ended = false;
  do {
    section.clear();
    splitter.skip_blanks();
    if (splitter.byte() != '"' && !splitter.at_end()) in.fail("expected the name of a section");
    if (in.failed() || !splitter.value(&section) || !splitter.expect(':', "behind the name of a section")) return false;
    section = section.size() < 2 ? "" : section.substr(1, section.size() - 2);
    if (!take_section(splitter, section, row, in, take, take_other) || in.failed()) return false;
  } while (another(splitter, '}', in, ended));
  return !ended && !in.failed();
}

// ---- nested sections ----

namespace {

class Walk {
 public:
  Walk(ByteStream& in, const std::function<bool(std::string_view)>& is_section, const Take& take)
      : in_(in), splitter_(in), is_section_(is_section), take_(take) {}

  // A value at the path; false at the end of the file.
  bool value() {
    splitter_.skip_blanks();
    if (in_.failed()) return false;
    if (splitter_.byte() == '[') return list();
    if (splitter_.byte() != '{') return splitter_.value(nullptr);
    return is_section_(path_) ? members() : take_object(splitter_, path_, row_, take_);
  }

 private:
  bool list() {
    splitter_.advance();
    splitter_.skip_blanks();
    if (splitter_.byte() == ']') {
      splitter_.advance();
      return true;
    }
    bool ended = false;
    do {
      splitter_.skip_blanks();
      const bool nested = splitter_.byte() == '[';
      if (nested ? !splitter_.value(nullptr) : !value()) return false;
    } while (another(splitter_, ']', in_, ended));
    return !ended;
  }

  bool members() {
    splitter_.advance();
    splitter_.skip_blanks();
    if (splitter_.byte() == '}') {
      splitter_.advance();
      return true;
    }
    const std::size_t outside = path_.size();
    bool ended = false;
    do {
      std::string name;
      splitter_.skip_blanks();
      if (splitter_.byte() != '"' && !splitter_.at_end()) in_.fail("expected the name of a section");
      if (in_.failed() || !splitter_.value(&name) || !splitter_.expect(':', "behind the name of a section")) return false;
      path_ += '/';  // also for an empty name: else its members would be visited as those of this section, without end
      if (name.size() > 2) path_.append(name, 1, name.size() - 2);
      const bool whole = value();
      path_.resize(outside);
      if (!whole || in_.failed()) return false;
    } while (another(splitter_, '}', in_, ended));
    return !ended;
  }

  ByteStream& in_;
  Splitter splitter_;
  const std::function<bool(std::string_view)>& is_section_;
  const Take& take_;
  std::string path_, row_;
};

}  // namespace

bool for_each_nested_row(ByteStream& in, const std::function<bool(std::string_view)>& is_section, const Take& take) {
  return Walk(in, is_section, take).value() && !in.failed();
}

std::string row_at(ByteStream& in) {
  Splitter splitter(in);
  std::string row;
  if (splitter.byte() != '{' || !splitter.value(&row)) return "";
  return row;
}

}  // namespace sightline::formats::json_rows
