// Names with a rank where others have a time: "rank_3", "host-rank.3".
#pragma once

#include <cstddef>
#include <string_view>

namespace sightline::formats {

inline constexpr std::size_t kLongestRank = 6;  // digits; a time has ten or more

// Whether the word before it makes `number` a rank, in a name that is cut at the character between the two.
inline bool is_rank_by_name(std::string_view before, std::string_view number) {
  constexpr std::string_view kRank = "rank";
  if (!before.ends_with(kRank) || number.size() > kLongestRank) return false;
  before.remove_suffix(kRank.size());
  return before.empty() || std::string_view("_-.").find(before.back()) != std::string_view::npos;
}

}  // namespace sightline::formats
