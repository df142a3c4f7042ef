// The members of a trace's root object other than its events: device properties, base time, metadata. A simple scan, which
// accepts that everything after the events is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::formats::trace_events {

// ---- ends of values ----
// ValueEnd: finds the end of one JSON value whose text comes in pieces, and keeps none of them. It counts brackets outside
// strings, so a value may have any size and depth.

class ValueEnd {
 public:
  // How many bytes of the next piece belong to the value, which begins with the first byte of the first piece: all, unless
  // it ends here (see ended).
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
  // After the closing quote, or the end of the piece.
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

  // 1, or 0 for the text after a bare word.
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

// ---- members ----

// Key and value in order, both as JSON text (the key without its quotes).
using RootMembers = std::vector<std::pair<std::string, std::string>>;

enum class RootScan { found_events, ended, need_more, not_json };

// Scans members from text[at] on (after the '{', or after the events). At the events' array it stops with found_events and
// `at` after its '['. need_more: the text ends inside a member, which begins at `at`.
RootScan scan_root_members(std::string_view text, std::size_t& at, RootMembers& members);

// The same for text that comes in pieces. A member longer than kLongestMember is skipped, and so are further ones when all
// together are longer than that.
class RootText {
 public:
  static constexpr std::size_t kLongestMember = std::size_t{16} << 20;

  // The first byte is at `offset` of the file.
  RootText(RootMembers& members, std::int64_t offset) : members_(members), offset_(offset) {}

  // Takes the next piece; need_more unless the object is complete, or the text is not JSON.
  RootScan add(std::string_view piece);

  std::int64_t offset() const { return offset_; }       // in the file: of rest()
  std::string take_rest() { return std::move(rest_); }  // the text after what was scanned

  std::int64_t skipped() const { return skipped_; }              // members that were too long
  std::int64_t first_skipped() const { return first_skipped_; }  // where the first is

 private:
  RootScan skip_member();
  void drop_long_members(std::int64_t begin);

  RootMembers& members_;
  std::int64_t offset_;
  std::string rest_;
  std::optional<ValueEnd> skipping_;
  std::size_t checked_ = 0;     // members
  std::size_t kept_bytes_ = 0;  // of all members kept
  std::int64_t skipped_ = 0, first_skipped_ = kUnknown;
};

// Fills devices, metadata, rank, world size and the origin from the members; returns baseTimeNanoseconds or 0.
std::int64_t apply_root_members(const RootMembers& members, Profile& profile);

}  // namespace sightline::formats::trace_events
