// How the framework's caching allocator serves a request: what it rounds it to, which free block it takes, and how much it needs
// from the device if no block fits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

inline constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;

// Multiples of 512 bytes. `bytes` is above 0.
std::int64_t rounded_request(std::int64_t bytes);

// Requests up to 1 MiB and larger ones have separate segments.
std::string_view segment_kind(std::int64_t rounded);

// Bytes of a new segment: 2 MiB for small blocks, 20 MiB for those below 10 MiB, else multiples of 2 MiB.
std::int64_t new_segment_bytes(std::int64_t rounded);

// The rules as sentences.
std::string_view allocator_rules();

// Segments that share their free blocks: those of one stream, pool and kind.
struct SegmentGroup {
  std::int64_t stream = kUnknown;
  StringId pool = StringId::none;
  StringId kind = StringId::none;
  bool expandable = false;      // any of them
  std::vector<Row> segments{};  // rows of memory_segments
  std::int64_t reserved = 0, allocated = 0, awaiting = 0, free = 0, largest_free = 0, free_blocks = 0;
};

// The blocks of a segment: the first of its rows of memory_blocks, and one past the last.
std::pair<Row, Row> blocks_of(const Profile& profile, Row segment);

void add_segment(const Profile& profile, Row segment, SegmentGroup& group);

// The groups of a device, largest first.
std::vector<SegmentGroup> segment_groups(const Profile& profile, StringId device);

// What a request would get in a group. One of `block` and `from_device` is set.
struct Fit {
  Row block = kNoRow;            // row of memory_blocks: the smallest free one that is large enough
  std::int64_t from_device = 0;  // bytes that the allocator would reserve
};

Fit fit(const Profile& profile, const SegmentGroup& group, std::int64_t rounded);

// Bytes of segments without a block in use, which the allocator gives back before it fails.
std::int64_t unused_segments(const Profile& profile, StringId device);

// "1.5GiB", "200 MiB", "4096": bytes. Nothing: it is no size above 0.
std::optional<std::int64_t> parse_size(std::string_view text);

}  // namespace sightline::analyses
