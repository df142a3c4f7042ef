#include "analyses/allocator/live_stacks.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/memory/memory_blocks.h"
#include "base/sort.h"

namespace sightline::analyses {

// ---- stacks as words ----

namespace {

constexpr std::string_view kNoStack = "no stack recorded";
constexpr std::string_view kBefore = "allocated before recording";

// The last two parts of a path.
std::string_view end_of_path(std::string_view file) {
  const std::size_t last = file.find_last_of("/\\");
  if (last == std::string_view::npos || last == 0) return file;
  const std::size_t folder = file.find_last_of("/\\", last - 1);
  return folder == std::string_view::npos ? file : file.substr(folder + 1);
}

std::string named_at(std::string_view name, std::string_view place) {
  return place.empty() ? std::string(name) : fmt::format("{} ({})", name.empty() ? "?" : name, place);
}

std::string place_words(const Profile& profile, Row stack, bool whole_path) {
  const std::string_view file = profile.text(profile.stacks.file[stack]);
  const std::int64_t line = profile.stacks.line[stack];
  const std::string_view shown = whole_path ? file : end_of_path(file);
  return line == kUnknown || line == 0 ? std::string(shown) : fmt::format("{}:{}", shown, line);
}

std::string words_of(const Profile& profile, Row stack, bool whole_path) {
  return named_at(profile.text(profile.stacks.name[stack]), place_words(profile, stack, whole_path));
}

}  // namespace

Row user_frame(const Profile& profile, Row stack) {
  for (Row row = stack; row != kNoRow; row = profile.stacks.caller[row]) {
    if (!profile.stacks.library[row]) return row;
  }
  return stack;
}

std::string frame_words(const Profile& profile, Row stack) { return words_of(profile, stack, false); }

std::string function_words(const Profile& profile, StringId name, StringId file) {
  return named_at(profile.text(name), end_of_path(profile.text(file)));
}

std::string stack_words(const Profile& profile, Row stack) {
  std::string words;
  for (Row row = stack; row != kNoRow; row = profile.stacks.caller[row]) {
    if (!words.empty()) words += ';';
    words += words_of(profile, row, true);
  }
  return words;
}

// ---- what was live ----

void LiveSum::add(std::int64_t size, Time allocated) {
  oldest = blocks == 0 ? allocated : (oldest == kUnknown || allocated == kUnknown) ? kUnknown : std::min(oldest, allocated);
  bytes += size;
  ++blocks;
  largest = std::max(largest, size);
}

// Blocks of a segment count only if they add up to its size, as for the totals.
std::vector<Row> kept_blocks(const MemoryScope& scope) {
  const Profile& p = *scope.profile;
  std::vector<std::int64_t> sum(p.memory_segments.rows());
  for (Row row = 0; row < p.memory_blocks.rows(); ++row) {
    std::int64_t& of = sum[p.memory_blocks.segment[row]];
    if (__builtin_add_overflow(of, p.memory_blocks.bytes[row], &of)) of = -1;
  }
  const StringId allocated = p.strings.find("allocated");
  std::vector<Row> kept;
  for (Row row = 0; row < p.memory_blocks.rows(); ++row) {
    const Row segment = p.memory_blocks.segment[row];
    if (p.memory_blocks.state[row] != allocated || p.memory_blocks.allocation[row] != kNoRow) continue;
    if (p.memory_segments.device_name[segment] == scope.on().name && sum[segment] == p.memory_segments.bytes[segment])
      kept.push_back(row);
  }
  return kept;
}

LiveStacks live_stacks(const MemoryScope& scope, const LiveMemory& live) {
  const Profile& p = *scope.profile;
  LiveStacks result{.by_stack = std::vector<LiveSum>(p.stacks.rows()), .no_stack = {}, .unknown = {}, .rest = live.earlier};
  result.all = p.memory_events.total_allocated[live.moment];
  const auto sum_of = [&](Row stack) -> LiveSum& { return stack == kNoRow ? result.no_stack : result.by_stack[stack]; };
  for (const MemoryBlock& block : live.blocks) {
    if (block.allocation == kNoRow) {
      result.unknown.add(size_of(scope, block), kUnknown);
    } else {
      sum_of(p.memory_events.stack[block.allocation]).add(size_of(scope, block), p.memory_events.time[block.allocation]);
    }
  }
  for (const Row row : kept_blocks(scope)) {
    const Row stack = p.memory_blocks.stack[row];
    (stack == kNoRow ? result.unknown : result.by_stack[stack]).add(p.memory_blocks.bytes[row], kUnknown);
    result.rest -= p.memory_blocks.bytes[row];
  }
  return result;
}

// ---- tables ----

namespace {

constexpr std::string_view kStackSource = "stacks of the allocator's events, and of the blocks in use at the end";

// A frame with the live bytes that it and what it called allocated.
struct FrameRow {
  std::string name;
  bool own_name = false;
  std::int64_t parent = kUnknown;  // a row of this table
  std::int64_t bytes = 0, self = 0, all = 0;
};

TableOf<FrameRow> frame_columns() {
  TableOf<FrameRow> table({.key = "frames", .title = "Live memory by frame", .sort_column = "size"});
  table.add(label_column("name", "Frame", "Function, file and line").with_words("own_name"), &FrameRow::name);
  table.add(integer_column("size", "Size", Unit::bytes,
                           {"Live memory that the frame or what it called allocated.", "sum of the bytes of its live blocks",
                            kStackSource, kNew})
                .with_bar("share")
                .with_sums(false),
            &FrameRow::bytes);
  table.add(integer_column("self", "Self size", Unit::bytes,
                           {"Live memory that the frame allocated itself.",
                            "sum of the bytes of the live blocks whose innermost frame it is", kStackSource, kNew}),
            &FrameRow::self);
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the memory allocated at that time.", "size / total allocated", kStackSource, kNew}),
            [](const FrameRow& of) { return quotient(of.bytes, of.all); });
  table.add(integer_column("parent", "Parent", Unit::id, {"Row of the frame that called it", "", ""}).hide(), &FrameRow::parent);
  table.add(own_name_column(), &FrameRow::own_name);
  return table;
}

// Bytes by row of stacks, with those of the stacks that it called.
std::vector<std::int64_t> totals_of(const Profile& profile, const LiveStacks& live) {
  std::vector<std::int64_t> totals(live.by_stack.size());
  for (Row row = 0; row < totals.size(); ++row) totals[row] = live.by_stack[row].bytes;
  for (Row row = static_cast<Row>(totals.size()); row-- > 0;) {
    if (const Row caller = profile.stacks.caller[row]; caller != kNoRow) totals[caller] += totals[row];
  }
  return totals;
}

// Callers come first: they have no less than what they called, and lower row numbers.
std::vector<Row> largest_frames(const std::vector<std::int64_t>& totals) {
  std::vector<Row> rows;
  for (Row row = 0; row < totals.size(); ++row) {
    if (totals[row] > 0) rows.push_back(row);
  }
  sort_down(rows, [&](Row each) { return totals[each]; });
  if (rows.size() > kMostFrames) rows.resize(kMostFrames);
  return rows;
}

// Live blocks of one line, or of one stack.
struct StackRow {
  std::string line;
  bool own_name = false;
  std::string_view part{};
  Row stack = kNoRow;  // of its largest sum
  LiveSum sum{};
  std::int64_t all = 0;
};

TableOf<StackRow, Profile> stack_columns() {
  TableOf<StackRow, Profile> table({.key = "live_stacks", .title = "Live memory by stack", .sort_column = "size"});
  const auto add = [&](std::string_view key, Message title, Unit unit, const MetricDoc& doc, Message unknown, auto value) {
    table.add(integer_column(key, title, unit, doc).with_unknown(std::move(unknown)), value);
  };
  const Message no_blocks = "allocated before the recording, block by block unknown";
  table.add(label_column("line", "Allocated at",
                         "The innermost line of the user's program; of a stack without one, the innermost frame")
                .with_words("own_name"),
            &StackRow::line);
  table.add(words_column("part", "Part", "Part of a training step that the frames tell").with_unknown("the frames do not tell"),
            [](const Profile&, const StackRow& of) { return of.part; });
  table.add(
      integer_column("size", "Size", Unit::bytes, {"Its live memory.", "sum of the bytes of the live blocks", kStackSource, kNew})
          .with_bar("share"),
      [](const StackRow& of) { return of.sum.bytes; });
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the memory allocated at that time.", "size / total allocated", kStackSource, kNew}),
            [](const StackRow& of) { return quotient(of.sum.bytes, of.all); });
  add("blocks", "Blocks", Unit::count, {"How many blocks.", "number of live blocks", kStackSource, kNew}, no_blocks,
      [](const StackRow& of) { return of.sum.blocks > 0 ? of.sum.blocks : kUnknown; });
  add("largest", "Largest", Unit::bytes, {"The largest of them.", "largest size of a block", kStackSource, kNew}, no_blocks,
      [](const StackRow& of) { return of.sum.blocks > 0 ? of.sum.largest : kUnknown; });
  add("oldest", "First allocated", Unit::ns,
      {"When the oldest of them was allocated.", "first time of an allocation", kStackSource, kNew},
      "one was there before the recording", [](const StackRow& of) { return of.sum.oldest; });
  table.add(code_column("stack", "Call stack", "Frames of the largest part of it, outermost last, joined by ;").hide(),
            [](const Profile& profile, const StackRow& of) { return stack_words(profile, of.stack); });
  table.add(own_name_column(), &StackRow::own_name);
  return table;
}

void merge(LiveSum& into, const LiveSum& sum) {
  into.oldest = into.blocks == 0                                      ? sum.oldest
                : (into.oldest == kUnknown || sum.oldest == kUnknown) ? kUnknown
                                                                      : std::min(into.oldest, sum.oldest);
  into.bytes += sum.bytes;
  into.blocks += sum.blocks;
  into.largest = std::max(into.largest, sum.largest);
}

// Lines are equal if function, file and line are.
using LineKey = std::tuple<StringId, StringId, std::int64_t>;

std::vector<StackRow> rows_by_line(const Profile& profile, const LiveStacks& live) {
  std::map<LineKey, StackRow> lines;
  std::map<LineKey, std::int64_t> largest;
  for (Row stack = 0; stack < live.by_stack.size(); ++stack) {
    const LiveSum& sum = live.by_stack[stack];
    if (sum.blocks == 0) continue;
    const Row frame = user_frame(profile, stack);
    const LineKey line{profile.stacks.name[frame], profile.stacks.file[frame], profile.stacks.line[frame]};
    StackRow& row = lines[line];
    if (row.stack == kNoRow) row.line = frame_words(profile, frame);
    if (std::int64_t& most = largest[line]; sum.bytes > most || row.stack == kNoRow) {
      most = sum.bytes;
      row.stack = stack;
      row.part = profile.text(profile.stacks.part[stack]);
    }
    merge(row.sum, sum);
  }
  std::vector<StackRow> rows;
  for (auto& [line, row] : lines) rows.push_back(std::move(row));
  return rows;
}

std::vector<StackRow> rows_by_stack(const Profile& profile, const LiveStacks& live) {
  std::vector<StackRow> rows;
  for (Row stack = 0; stack < live.by_stack.size(); ++stack) {
    if (live.by_stack[stack].blocks == 0) continue;
    rows.push_back({.line = frame_words(profile, user_frame(profile, stack)),
                    .part = profile.text(profile.stacks.part[stack]),
                    .stack = stack,
                    .sum = live.by_stack[stack]});
  }
  return rows;
}

}  // namespace

Panel listed_panel(std::string id, Message title, Message empty) {
  Panel panel{.id = id, .title = std::move(title), .content = PlainTable{std::move(id)}};
  panel.empty = std::move(empty);
  return panel;
}

ReportTable blank_frames_table() { return frame_columns().blank(); }

ReportTable frames_table(const Profile& profile, const LiveStacks& live) {
  const std::vector<std::int64_t> totals = totals_of(profile, live);
  std::vector<FrameRow> rows;
  std::map<Row, std::int64_t> place;
  for (const Row stack : largest_frames(totals)) {
    const Row caller = profile.stacks.caller[stack];
    place[stack] = std::ssize(rows);
    rows.push_back({.name = frame_words(profile, stack),
                    .parent = caller == kNoRow ? kUnknown : place.at(caller),
                    .bytes = totals[stack],
                    .self = live.by_stack[stack].bytes});
  }
  const auto add_own = [&](std::string_view name, std::int64_t bytes) {
    if (bytes != 0) rows.push_back({.name = std::string(name), .own_name = true, .bytes = bytes, .self = bytes});
  };
  add_own(kNoStack, live.no_stack.bytes);
  add_own(kBefore, live.unknown.bytes + live.rest);
  for (FrameRow& row : rows) row.all = live.all;
  return frame_columns().of(rows);
}

ReportTable blank_stacks_table() { return stack_columns().blank(); }

ReportTable stacks_table(const Profile& profile, const LiveStacks& live, bool whole_stacks) {
  std::vector<StackRow> rows = whole_stacks ? rows_by_stack(profile, live) : rows_by_line(profile, live);
  if (live.no_stack.blocks > 0) rows.push_back({.line = std::string(kNoStack), .own_name = true, .sum = live.no_stack});
  if (live.unknown.blocks > 0 || live.rest != 0) {
    LiveSum sum = live.unknown;
    sum.bytes += live.rest;
    if (live.rest != 0) sum.blocks = 0;  // the number of all of them is not known
    sum.oldest = kUnknown;
    rows.push_back({.line = std::string(kBefore), .own_name = true, .sum = sum});
  }
  for (StackRow& row : rows) row.all = live.all;
  sort_down(rows, [](const StackRow& each) { return each.sum.bytes; });
  return stack_columns().of(profile, rows);
}

}  // namespace sightline::analyses
