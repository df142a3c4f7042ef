#include "analyses/allocator/memory_segment_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "analyses/allocator/live_stacks.h"
#include "analyses/columns.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kSegmentSource = "the segments and blocks that the snapshot lists";
constexpr std::size_t kMostMapRows = 60, kMostMapBlocks = 8'000;

std::string address_words(std::int64_t address) { return fmt::format("0x{:x}", static_cast<std::uint64_t>(address)); }

// ---- by stream and pool ----

TableOf<SegmentGroup, Profile> pool_columns() {
  TableOf<SegmentGroup, Profile> table({.key = "pools", .title = "By stream and pool", .sort_column = "reserved"});
  const auto add = [&](std::string_view key, Message title, Unit unit, const MetricDoc& doc, auto value) {
    table.add(integer_column(key, title, unit, doc), value);
  };
  table.add(words_column("kind", "Kind", "Small segments serve requests up to 1 MiB, large ones all others")
                .with_role(ColumnRole::label),
            &SegmentGroup::kind);
  add("stream", "Stream", Unit::id, {"Stream whose requests it serves", "", ""}, &SegmentGroup::stream);
  table.add(label_column("pool", "Pool", "Pool whose requests it serves; 0.0 is the common one").with_role(ColumnRole::value),
            &SegmentGroup::pool);
  add("segments", "Segments", Unit::count, {"How many segments.", "number of segments", kSegmentSource, kNew},
      [](const SegmentGroup& of) { return static_cast<std::int64_t>(of.segments.size()); });
  add("reserved", "Reserved", Unit::bytes, {"Their bytes.", "sum of the bytes of the segments", kSegmentSource, kNew},
      &SegmentGroup::reserved);
  add("allocated", "Allocated", Unit::bytes,
      {"Bytes that the program uses.", "sum of the bytes of allocated blocks", kSegmentSource, kNew}, &SegmentGroup::allocated);
  add("awaiting", "Awaiting free", Unit::bytes,
      {"Bytes that the program released and a stream still uses.", "sum of the bytes of these blocks", kSegmentSource, kNew},
      &SegmentGroup::awaiting);
  add("free", "Free", Unit::bytes, {"Bytes that nothing uses.", "sum of the bytes of free blocks", kSegmentSource, kNew},
      &SegmentGroup::free);
  add("largest_free", "Largest free block", Unit::bytes,
      {"The largest request that it can serve.", "largest size of a free block", kSegmentSource, kNew},
      &SegmentGroup::largest_free);
  add("free_blocks", "Free blocks", Unit::count,
      {"Into how many blocks the free bytes are divided.", "number of free blocks", kSegmentSource, kNew},
      &SegmentGroup::free_blocks);
  table.add(real_column("fragmentation", "Fragmentation", Unit::share,
                        {"How much of what is free is not in one block.", "1 - largest free block / free", kSegmentSource, kNew})
                .with_unknown("nothing is free"),
            [](const SegmentGroup& of) { return of.free == 0 ? kUnknownNumber : 1 - quotient(of.largest_free, of.free); });
  return table;
}

// ---- would it fit ----

struct FitRow {
  const SegmentGroup* group = nullptr;
  Fit fit{};
  std::int64_t rounded = 0, released = 0;
};

TableOf<FitRow, Profile> fit_columns() {
  TableOf<FitRow, Profile> table({.key = "fits", .title = "Would it fit", .sort_column = "largest_free"});
  const auto block_size = [](const Profile& profile, const FitRow& row) {
    return row.fit.block == kNoRow ? kUnknown : profile.memory_blocks.bytes[row.fit.block];
  };
  table.add(words_column("kind", "Kind", "Small segments serve requests up to 1 MiB, large ones all others")
                .with_role(ColumnRole::label),
            [](const FitRow& row) { return row.group->kind; });
  table.add(integer_column("stream", "Stream", Unit::id, {"Stream of the request", "", ""}),
            [](const FitRow& row) { return row.group->stream; });
  table.add(label_column("pool", "Pool", "Pool of the request; 0.0 is the common one").with_role(ColumnRole::value),
            [](const FitRow& row) { return row.group->pool; });
  table.add(integer_column("rounded", "Rounded", Unit::bytes,
                           {"Size of the request after rounding.", "request rounded up to a multiple of 512 bytes",
                            "the allocator's rules", kNew})
                .with_sums(false),
            &FitRow::rounded);
  table.add(flag_column("fits", "Fits",
                        {"Whether a free block is large enough.", "largest free block >= rounded request", kSegmentSource, kNew}),
            [](const FitRow& row) { return row.fit.block != kNoRow; });
  table.add(integer_column("block", "Block taken", Unit::bytes,
                           {"The block that it would get.", "smallest free block that is large enough", kSegmentSource, kNew})
                .with_unknown("none is large enough"),
            block_size);
  table.add(code_column("address", "Address", "Where that block begins").with_unknown("none is large enough"),
            [](const Profile& profile, const FitRow& row) {
              return row.fit.block == kNoRow ? std::string() : address_words(profile.memory_blocks.address[row.fit.block]);
            });
  table.add(integer_column("largest_free", "Largest free block", Unit::bytes,
                           {"The largest free block.", "largest size of a free block", kSegmentSource, kNew}),
            [](const FitRow& row) { return row.group->largest_free; });
  table.add(
      integer_column("free", "Free", Unit::bytes, {"All free bytes.", "sum of the bytes of free blocks", kSegmentSource, kNew}),
      [](const FitRow& row) { return row.group->free; });
  table.add(integer_column("from_device", "Needed from the device", Unit::bytes,
                           {"What the allocator would have to reserve.",
                            "bytes of a new segment, or by which an expandable one grows", "the allocator's rules", kNew})
                .with_sums(false)
                .with_unknown("a free block is large enough"),
            [](const FitRow& row) { return row.fit.block == kNoRow ? row.fit.from_device : kUnknown; });
  table.add(integer_column("released", "Could be given back", Unit::bytes,
                           {"Bytes that the allocator releases before the request fails.",
                            "sum of the bytes of segments without a block in use, on the whole device", kSegmentSource, kNew})
                .with_sums(false),
            &FitRow::released);
  return table;
}

// ---- segments ----

struct SegmentRow {
  Row segment = kNoRow;
  SegmentGroup sums{};  // of this segment alone
};

TableOf<SegmentRow, Profile> segment_columns() {
  TableOf<SegmentRow, Profile> table({.key = "segments", .title = "Segments", .sort_column = "reserved"});
  table.add(label_column("address", "Address", "Where it begins"), [](const Profile& profile, const SegmentRow& row) {
    return address_words(profile.memory_segments.address[row.segment]);
  });
  table.add_all(pool_columns(), &SegmentRow::sums, [](ReportColumn& column) {
    if (column.role == ColumnRole::label) column.role = ColumnRole::value;
    return column.key != "segments";
  });
  table.add(flag_column("expandable", "Expandable", {"Whether it can grow", "", ""}),
            [](const Profile& profile, const SegmentRow& row) { return profile.memory_segments.expandable[row.segment]; });
  table.add(label_column("line", "Needed by", "The innermost line of the user's program")
                .with_role(ColumnRole::value)
                .with_unknown("no stack recorded"),
            [](const Profile& profile, const SegmentRow& row) {
              const Row stack = profile.memory_segments.stack[row.segment];
              return stack == kNoRow ? std::string() : frame_words(profile, user_frame(profile, stack));
            });
  return table;
}

SegmentGroup sums_of(const Profile& profile, const SegmentGroup& group, Row segment) {
  SegmentGroup sums{.stream = group.stream, .pool = group.pool, .kind = group.kind};
  add_segment(profile, segment, sums);
  return sums;
}

// ---- the map ----

struct MapBlock {
  const SegmentGroup* group = nullptr;
  Row block = kNoRow;
};

// Allocated blocks have the colour of the line that allocated them.
std::string_view hue_of(std::string_view state) { return state == "allocated" ? "" : state == "free" ? "idle" : "other"; }

std::string label_of(const Profile& profile, Row block) {
  const std::string_view state = profile.text(profile.memory_blocks.state[block]);
  const Row stack = profile.memory_blocks.stack[block];
  return state != "free" && stack != kNoRow ? frame_words(profile, user_frame(profile, stack)) : std::string(state);
}

TableOf<MapBlock, Profile> map_columns() {
  TableOf<MapBlock, Profile> table({.key = "blocks", .title = "Blocks", .sort_column = "size"});
  const auto start = [](const Profile& profile, const MapBlock& of) {
    const MemorySegments& segments = profile.memory_segments;
    return profile.memory_blocks.address[of.block] - segments.address[profile.memory_blocks.segment[of.block]];
  };
  table.add(label_column("label", "Block", "The innermost line of the user's program that allocated it, or its state"),
            [](const Profile& profile, const MapBlock& of) { return label_of(profile, of.block); });
  table.add(
      integer_column("offset", "Offset", Unit::bytes,
                     {"Where it begins in its segment.", "address of the block - address of the segment", kSegmentSource, kNew}),
      start);
  table.add(integer_column("size", "Size", Unit::bytes, {"Its bytes.", "bytes of the block", kSegmentSource, kNew}),
            [](const Profile& profile, const MapBlock& of) { return profile.memory_blocks.bytes[of.block]; });
  table.add(integer_column("requested", "Requested", Unit::bytes,
                           {"What the program requested.", "bytes requested", kSegmentSource, kNew})
                .with_unknown("it is free, or the file does not state it"),
            [](const Profile& profile, const MapBlock& of) {
              return profile.text(profile.memory_blocks.state[of.block]) == "free" ? kUnknown
                                                                                   : profile.memory_blocks.requested[of.block];
            });
  table.add(words_column("state", "State", "allocated, awaiting_free (a stream still uses it) or free"),
            [](const Profile& profile, const MapBlock& of) { return profile.memory_blocks.state[of.block]; });
  table.add(code_column("segment", "Segment", "Address of its segment"), [](const Profile& profile, const MapBlock& of) {
    return address_words(profile.memory_segments.address[profile.memory_blocks.segment[of.block]]);
  });
  table.add(code_column("group", "Kind, stream and pool", "Kind, stream and pool of its segment"),
            [](const Profile& profile, const MapBlock& of) {
              const std::string stream = of.group->stream == kUnknown ? "?" : std::to_string(of.group->stream);
              return fmt::format("{}, stream {}, pool {}", profile.text(of.group->kind), stream, profile.text(of.group->pool));
            });
  table.add(code_column("hue", "Colour", "Category whose colour it has").hide(), [](const Profile& profile, const MapBlock& of) {
    return hue_of(profile.text(profile.memory_blocks.state[of.block]));
  });
  return table;
}

}  // namespace

std::vector<ReportTable> blank_segment_tables() {
  return {fit_columns().blank(), pool_columns().blank(), map_columns().blank(), segment_columns().blank()};
}

ReportTable fits_table(const Profile& profile, StringId device, const std::vector<SegmentGroup>& groups, std::int64_t size) {
  const std::int64_t rounded = rounded_request(size), released = unused_segments(profile, device);
  std::vector<FitRow> rows;
  for (const SegmentGroup& group : groups) {
    if (profile.text(group.kind) == segment_kind(rounded))
      rows.push_back({&group, fit(profile, group, rounded), rounded, released});
  }
  return fit_columns().of(profile, rows);
}

ReportTable pools_table(const Profile& profile, const std::vector<SegmentGroup>& groups) {
  return pool_columns().of(profile, groups);
}

ReportTable segments_table(const Profile& profile, const std::vector<SegmentGroup>& groups) {
  std::vector<SegmentRow> rows;
  for (const SegmentGroup& group : groups) {
    for (const Row segment : group.segments) rows.push_back({segment, sums_of(profile, group, segment)});
  }
  sort_down(rows, [](const SegmentRow& each) { return each.sums.reserved; });
  return segment_columns().of(profile, rows);
}

BlockMap block_map(const Profile& profile, const std::vector<SegmentGroup>& groups) {
  std::vector<Row> all;
  for (const SegmentGroup& group : groups) all.insert(all.end(), group.segments.begin(), group.segments.end());
  const auto& bytes = profile.memory_segments.bytes;
  sort_down(all, [&](Row each) { return bytes[each]; });
  std::size_t shown = 0, blocks = 0;
  while (shown < all.size() && shown < kMostMapRows) {
    const auto [first, last] = blocks_of(profile, all[shown]);
    blocks += last - first;
    if (shown > 0 && blocks > kMostMapBlocks) break;
    ++shown;
  }
  const std::size_t left_out = all.size() - shown;
  all.resize(shown);
  std::sort(all.begin(), all.end());
  std::vector<MapBlock> rows;
  for (const SegmentGroup& group : groups) {
    for (const Row segment : group.segments) {
      if (!std::binary_search(all.begin(), all.end(), segment)) continue;
      const auto [first, last] = blocks_of(profile, segment);
      for (Row block = first; block < last; ++block) rows.push_back({&group, block});
    }
  }
  return {map_columns().of(profile, rows), left_out};
}

}  // namespace sightline::analyses
