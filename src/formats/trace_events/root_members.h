// The members of a trace's root object other than its events: device properties, base time, metadata.
// A plain scan, tolerant of what comes after the events being cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/trace_events/value_end.h"
#include "model/profile.h"

namespace sightline::formats::trace_events {

// Key and value in order, both as JSON text (the key without its quotes).
using RootMembers = std::vector<std::pair<std::string, std::string>>;

enum class RootScan { found_events, ended, need_more, not_json };

// Scans members from text[at] on (after the '{', or after the events). At the events' array it stops with
// found_events and `at` behind its '['. need_more: the text ends inside a member, `at` is where that one begins.
RootScan scan_root_members(std::string_view text, std::size_t& at, RootMembers& members);

// The same for text that comes in pieces. A member longer than kLongestMember is stepped over, and so are those that together
// are longer than that.
class RootText {
 public:
  static constexpr std::size_t kLongestMember = std::size_t{16} << 20;

  // The first byte is at `offset` of the file.
  RootText(RootMembers& members, std::int64_t offset) : members_(members), offset_(offset) {}

  // Takes the next piece; need_more unless all has been said, or it is not JSON.
  RootScan add(std::string_view piece);

  std::int64_t offset() const { return offset_; }       // in the file: of rest()
  std::string take_rest() { return std::move(rest_); }  // the text behind what was scanned

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
  std::size_t kept_bytes_ = 0;  // of them
  std::int64_t skipped_ = 0, first_skipped_ = kUnknown;
};

// Fills devices, metadata, rank, world size and the origin from the members; returns baseTimeNanoseconds or 0.
std::int64_t apply_root_members(const RootMembers& members, Profile& profile);

}  // namespace sightline::formats::trace_events
