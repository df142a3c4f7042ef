#include "analyses/allocator/allocator_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kLargestSmall = kMiB;
constexpr std::int64_t kSmallSegment = 2 * kMiB, kLargeSegment = 20 * kMiB, kOwnSegment = 10 * kMiB, kSegmentUnit = 2 * kMiB;

std::int64_t multiple(std::int64_t bytes, std::int64_t unit) { return (bytes + unit - 1) / unit * unit; }

bool in_use(const Profile& profile, Row block) { return profile.text(profile.memory_blocks.state[block]) != "free"; }

// Free bytes at the end of an expandable segment, which grow with it.
std::int64_t free_tail(const Profile& profile, const SegmentGroup& group) {
  std::int64_t most = 0;
  for (const Row segment : group.segments) {
    const auto [first, last] = blocks_of(profile, segment);
    if (first != last && profile.memory_segments.expandable[segment] && !in_use(profile, last - 1))
      most = std::max(most, profile.memory_blocks.bytes[last - 1]);
  }
  return most;
}

}  // namespace

std::int64_t rounded_request(std::int64_t bytes) { return std::max(kBlock, multiple(bytes, kBlock)); }

std::string_view segment_kind(std::int64_t rounded) { return rounded <= kLargestSmall ? "small" : "large"; }

std::int64_t new_segment_bytes(std::int64_t rounded) {
  if (rounded <= kLargestSmall) return kSmallSegment;
  return rounded < kOwnSegment ? kLargeSegment : multiple(rounded, kSegmentUnit);
}

std::string_view allocator_rules() {
  return "a request is rounded up to a multiple of 512 bytes; up to 1 MiB it is served from small segments, else from large "
         "ones, and "
         "only from those of its own stream and pool; it takes the smallest free block that is large enough; if no block fits, "
         "the "
         "allocator reserves a segment: 2 MiB for small requests, 20 MiB for those below 10 MiB, else the request rounded up to "
         "2 MiB; an expandable segment grows, by units of 2 MiB or 20 MiB, by what its free end lacks; before it fails, the "
         "allocator "
         "gives back segments without a block in use. Settings that change the rounding or forbid splitting are not applied";
}

// Rows are sorted by segment.
std::pair<Row, Row> blocks_of(const Profile& profile, Row segment) {
  const auto& of = profile.memory_blocks.segment;
  const auto [first, last] = std::equal_range(of.begin(), of.end(), segment);
  return {static_cast<Row>(first - of.begin()), static_cast<Row>(last - of.begin())};
}

void add_segment(const Profile& profile, Row segment, SegmentGroup& group) {
  group.segments.push_back(segment);
  group.expandable |= profile.memory_segments.expandable[segment];
  group.reserved += profile.memory_segments.bytes[segment];
  const auto [first, last] = blocks_of(profile, segment);
  for (Row block = first; block < last; ++block) {
    const std::int64_t bytes = profile.memory_blocks.bytes[block];
    const std::string_view state = profile.text(profile.memory_blocks.state[block]);
    if (state == "free") {
      group.free += bytes;
      group.largest_free = std::max(group.largest_free, bytes);
      ++group.free_blocks;
    } else {
      (state == "allocated" ? group.allocated : group.awaiting) += bytes;
    }
  }
}

std::vector<SegmentGroup> segment_groups(const Profile& profile, StringId device) {
  const MemorySegments& all = profile.memory_segments;
  std::map<std::tuple<std::int64_t, StringId, StringId>, SegmentGroup> groups;
  for (Row segment = 0; segment < all.rows(); ++segment) {
    if (all.device_name[segment] != device) continue;
    SegmentGroup& group = groups[{all.stream[segment], all.pool[segment], all.kind[segment]}];
    std::tie(group.stream, group.pool, group.kind) = std::tuple(all.stream[segment], all.pool[segment], all.kind[segment]);
    add_segment(profile, segment, group);
  }
  std::vector<SegmentGroup> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  sort_down(sorted, &SegmentGroup::reserved);
  return sorted;
}

Fit fit(const Profile& profile, const SegmentGroup& group, std::int64_t rounded) {
  Fit best;
  for (const Row segment : group.segments) {
    const auto [first, last] = blocks_of(profile, segment);
    for (Row block = first; block < last; ++block) {
      const std::int64_t bytes = profile.memory_blocks.bytes[block];
      if (bytes < rounded || in_use(profile, block)) continue;
      if (best.block == kNoRow || bytes < profile.memory_blocks.bytes[best.block]) best.block = block;
    }
  }
  if (best.block != kNoRow) return best;
  const std::int64_t unit = rounded <= kLargestSmall ? kSmallSegment : kLargeSegment;
  best.from_device = group.expandable ? multiple(rounded - free_tail(profile, group), unit) : new_segment_bytes(rounded);
  return best;
}

std::int64_t unused_segments(const Profile& profile, StringId device) {
  std::int64_t sum = 0;
  for (Row segment = 0; segment < profile.memory_segments.rows(); ++segment) {
    if (profile.memory_segments.device_name[segment] != device) continue;
    const auto [first, last] = blocks_of(profile, segment);
    bool any = first == last;
    for (Row block = first; block < last; ++block) any |= in_use(profile, block);
    if (!any) sum += profile.memory_segments.bytes[segment];
  }
  return sum;
}

std::optional<std::int64_t> parse_size(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 14> kUnits{{{"", 1},
                                                                        {"B", 1},
                                                                        {"K", 1024},
                                                                        {"KB", 1e3},
                                                                        {"KiB", 1024},
                                                                        {"M", 1048576},
                                                                        {"MB", 1e6},
                                                                        {"MiB", 1048576},
                                                                        {"G", 1073741824},
                                                                        {"GB", 1e9},
                                                                        {"GiB", 1073741824},
                                                                        {"T", 1099511627776.0},
                                                                        {"TB", 1e12},
                                                                        {"TiB", 1099511627776.0}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0)) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, size] : kUnits) {
    const double bytes = std::ceil(number * size);
    if (name == unit && bytes <= 0x1p50) return static_cast<std::int64_t>(bytes);
  }
  return std::nullopt;
}

}  // namespace sightline::analyses
