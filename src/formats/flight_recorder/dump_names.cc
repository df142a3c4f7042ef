// A name without an ending that ends with a rank is a dump. JSON of that name may be a trace, so there the prefix decides.
#include "formats/flight_recorder/dump_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "formats/common/rank_in_name.h"

namespace sightline::formats::flight_recorder {

namespace {

constexpr std::array<std::string_view, 5> kEndings = {".gz", ".json", ".pickle", ".pkl", ".bin"};

// Of the files that libraries name by themselves.
constexpr std::array<std::string_view, 7> kPrefixes = {"nccl_trace", "comm_lib_trace", "fr_trace",  "flight_recorder",
                                                       "gloo_trace", "xccl_trace",     "hccl_trace"};

std::string_view stem_of(std::string_view name) {
  for (const std::string_view ending : kEndings) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  return name;
}

// Cut before the digits at its end.
std::pair<std::string_view, std::string_view> cut(std::string_view stem) {
  const std::size_t last = stem.find_last_not_of("0123456789");
  const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
  return {stem.substr(0, digits), stem.substr(digits)};
}

bool ends_with_rank(std::string_view stem) {
  auto [before, number] = cut(stem);
  if (number.empty() || number.size() > kLongestRank) return false;
  if (before.ends_with('_') || before.ends_with('-') || before.ends_with('.')) before.remove_suffix(1);
  return before.ends_with("rank");
}

bool has_known_prefix(std::string_view stem) {
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) { return stem.starts_with(prefix); });
}

}  // namespace

bool is_dump_name(std::string_view file_name) {
  const std::string_view stem = stem_of(file_name);
  if (!ends_with_rank(stem)) return false;
  return stem.size() == file_name.size() || has_known_prefix(stem);
}

std::optional<std::int64_t> rank_of(std::string_view file_name) {
  const std::string_view stem = stem_of(file_name);
  if (const auto rank = rank_in_name(stem)) return rank;
  const std::string_view digits = cut(stem).second;
  return digits.size() > kLongestRank ? std::nullopt : whole_number<std::int64_t>(digits);
}

bool holds_dumps(const FolderEntries& folder) { return std::any_of(folder.files.begin(), folder.files.end(), is_dump_name); }

}  // namespace sightline::formats::flight_recorder
