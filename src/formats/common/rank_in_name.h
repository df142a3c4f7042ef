// Ranks in the names of files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::formats {

inline constexpr std::size_t kLongestRank = 6;  // digits; a time has ten or more

// Whether the word before it makes `number` a rank, in a name that is cut at the character between the two: "rank_3",
// "host-rank.3", where others have a time.
inline bool is_rank_by_name(std::string_view before, std::string_view number) {
  constexpr std::string_view kRank = "rank";
  if (!before.ends_with(kRank) || number.size() > kLongestRank) return false;
  before.remove_suffix(kRank.size());
  return before.empty() || std::string_view("_-.").find(before.back()) != std::string_view::npos;
}

// "graph_capture_rank_0.173.pt.trace.json" -> 0.
inline std::optional<std::int64_t> rank_in_name(std::string_view name) {
  constexpr std::string_view kRank = "rank";
  const std::size_t at = name.find(kRank);
  if (at == std::string_view::npos) return std::nullopt;
  name.remove_prefix(at + kRank.size());
  if (!name.empty() && (name.front() == '_' || name.front() == '-')) name.remove_prefix(1);
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  if (digits == 0 || digits > kLongestRank) return std::nullopt;
  return std::stoll(std::string(name.substr(0, digits)));
}

}  // namespace sightline::formats
