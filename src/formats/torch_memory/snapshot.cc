// The keys of a dict say what it is. What refers to rows (frames to a stack, entries to a history) is in the file before what
// holds it.
#include "formats/torch_memory/snapshot.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"

namespace sightline::formats::torch_memory {

namespace {

using Kind = PickleValue::Kind;

constexpr std::array<std::string_view, 11> kActionNames = {"alloc",        "free_requested", "free_completed", "segment_alloc",
                                                           "segment_free", "segment_map",    "segment_unmap",  "snapshot",
                                                           "oom",          "annotate",       "other"};
constexpr std::size_t kMostSettings = 1000;
constexpr std::size_t kMostHistories = 1000;  // of devices
constexpr std::size_t kFewStacks = 10'000;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;  // no memory is larger

bool all_made(std::span<const PickleValue> items, unsigned sort) {
  return std::all_of(items.begin(), items.end(), [&](PickleValue item) { return item.is_made(sort); });
}

}  // namespace

std::string_view action_name(Action action) { return kActionNames[static_cast<std::size_t>(action)]; }

SnapshotSink::SnapshotSink(Profile& profile, ReadProgress* progress) : p_(profile), progress_(progress), stacks_(profile) {
  constexpr std::array<std::string_view, kFields> kKeys = {"action",
                                                           "addr",
                                                           "size",
                                                           "time_us",
                                                           "device_free",
                                                           "name",
                                                           "device",
                                                           "address",
                                                           "total_size",
                                                           "allocated_size",
                                                           "blocks",
                                                           "state",
                                                           "stage",
                                                           "filename",
                                                           "line",
                                                           "frames",
                                                           "stream",
                                                           "segment_type",
                                                           "segment_pool_id",
                                                           "is_expandable",
                                                           "active_size",
                                                           "requested_size",
                                                           "compile_context",
                                                           "user_metadata",
                                                           "device_traces",
                                                           "segments",
                                                           "allocator_settings"};
  for (std::size_t i = 0; i < kKeys.size(); ++i) CHECK(static_cast<std::size_t>(p_.strings.intern(kKeys[i])) == i + 1);
  for (std::size_t i = 0; i < kActionNames.size(); ++i) action_texts_[i] = p_.strings.intern(kActionNames[i]);
  no_context_ = p_.strings.intern("N/A");
}

// ---- lists ----

PickleValue SnapshotSink::list(PickleValue before, std::span<const PickleValue> items) {
  const PickleValue first = items.front();
  if (first.is_made(kEntry)) return trace(before, items);
  if (first.is_made(kFrame)) return stack(before, items);
  if (first.is_made(kBlock)) return block_list(before, items);
  if (first.is(Kind::integer)) return pair(items);
  if (first.is_made(kTrace) || first.is_made(kTraces) || first.is(Kind::list)) return traces(before, items);
  return PickleValue::made(kOther, 0);
}

PickleValue SnapshotSink::tuple(std::span<const PickleValue> items) { return pair(items); }

// Two numbers, such as the id of a pool: 0.0.
PickleValue SnapshotSink::pair(std::span<const PickleValue> items) {
  if (items.size() != 2 || !items[0].is(Kind::integer) || !items[1].is(Kind::integer)) return PickleValue::made(kOther, 0);
  const StringId text = p_.strings.intern(fmt::format("{}.{}", items[0].number(), items[1].number()));
  return PickleValue::made(kPair, static_cast<std::uint64_t>(text));
}

// A list comes in pieces of 1,000 frames, innermost first: of a deeper stack, the outer frames are left out.
PickleValue SnapshotSink::stack(PickleValue before, std::span<const PickleValue> items) {
  if (before.is_made(kStack)) {
    ++deep_stacks;
    return before;
  }
  if (!all_made(items, kFrame)) return lacks_something();
  frames_.clear();
  for (const PickleValue item : items) frames_.push_back(static_cast<Row>(item.made_number()));
  // A pickle that is no damage needs five bytes for a frame of a stack.
  const Row stack = stacks_.stack(frames_, kFewStacks + static_cast<std::size_t>(from_->position()) / 5);
  if (stack != kNoRow) return PickleValue::made(kStack, stack);
  ++lost_stacks;
  return PickleValue::made(kOther, 0);
}

PickleValue SnapshotSink::trace(PickleValue before, std::span<const PickleValue> items) {
  if (!before.is_made(kTrace) && histories.size() >= kMostHistories) return lacks_something();
  if (!before.is_made(kTrace)) histories.emplace_back();
  const std::uint64_t number = before.is_made(kTrace) ? before.made_number() : histories.size() - 1;
  auto& ranges = histories[number].ranges;
  for (const PickleValue item : items) {
    const auto row = static_cast<std::uint32_t>(item.made_number());
    if (!item.is_made(kEntry) || (!ranges.empty() && row < ranges.back().second)) {
      lacks_something();
    } else if (!ranges.empty() && row == ranges.back().second) {
      ++ranges.back().second;
    } else {
      ranges.emplace_back(row, row + 1);
    }
  }
  if (progress_ != nullptr) progress_->events = static_cast<std::int64_t>(entries.action.size());
  return PickleValue::made(kTrace, number);
}

// The list of all devices' histories, in which empty ones count.
PickleValue SnapshotSink::traces(PickleValue before, std::span<const PickleValue> items) {
  std::uint64_t device = before.is_made(kTraces) ? before.made_number() : 0;
  for (const PickleValue item : items) {
    if (item.is_made(kTrace)) histories[item.made_number()].device = static_cast<std::int64_t>(device);
    ++device;
  }
  return PickleValue::made(kTraces, device);
}

PickleValue SnapshotSink::block_list(PickleValue before, std::span<const PickleValue> items) {
  if (!all_made(items, kBlock)) return lacks_something();
  const auto first = static_cast<std::uint32_t>(items.front().made_number());
  const auto last = static_cast<std::uint32_t>(items.back().made_number()) + 1;
  if (last - first != items.size()) return lacks_something();
  if (before.is_made(kBlockList) && block_lists_[before.made_number()].second == first) {
    block_lists_[before.made_number()].second = last;
    return before;
  }
  block_lists_.emplace_back(first, last);
  return PickleValue::made(kBlockList, block_lists_.size() - 1);
}

// ---- dicts ----

PickleValue SnapshotSink::dict(PickleValue, std::span<const PickleValue> items) {
  if (!fields_of(items)) return other_dict(items);
  if (has(kAction)) return entry();
  if (has(kFilename)) return frame();
  if (has(kTotalSize)) return segment();
  if (has(kState)) return block();
  if (has(kStage)) return annotation();
  if (has(kDeviceTraces) || has(kSegments)) return root();
  return other_dict(items);
}

// Whether any key is known.
bool SnapshotSink::fields_of(std::span<const PickleValue> items) {
  fields_.fill(PickleValue());
  bool any = false;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const auto id = static_cast<std::size_t>(items[i].text_id());
    if (id == 0 || id > kFields) continue;
    fields_[id - 1] = items[i + 1];
    any = true;
  }
  return any;
}

PickleValue SnapshotSink::lacks_something() {
  if (incomplete++ == 0) incomplete_at = from_->position();
  return PickleValue::made(kOther, 0);
}

Action SnapshotSink::action_of(PickleValue value) {
  const StringId id = value.text_id();
  for (std::size_t i = 0; i < static_cast<std::size_t>(Action::other); ++i) {
    if (action_texts_[i] == id) return static_cast<Action>(i);
  }
  ++unknown_actions;
  return Action::other;
}

PickleValue SnapshotSink::entry() {
  const Action action = action_of(fields_[kAction]);
  const std::int64_t address = whole(action == Action::oom ? kDeviceFree : kAddr);
  const bool needs_address = action <= Action::segment_unmap;
  const std::int64_t size = whole(kSize);
  if ((needs_address && (address == kUnknown || size < 0 || size > kMostBytes)) || entries.action.size() >= kNoRow)
    return lacks_something();
  entries.action.push_back(action);
  entries.address.push_back(address);
  entries.size.push_back(size);
  entries.time.push_back(whole(kTime));
  entries.stack.push_back(stack_of());
  entries.stream.push_back(stream_of(whole(kStream)));
  entries.context.push_back(context_of());
  return PickleValue::made(kEntry, entries.action.size() - 1);
}

PickleValue SnapshotSink::block() {
  const std::int64_t size = whole(kSize);
  if (size < 0 || size > kMostBytes) return lacks_something();
  blocks.push_back({whole(kAddress), size, whole(kRequestedSize), fields_[kState].text_id(), stack_of()});
  return PickleValue::made(kBlock, blocks.size() - 1);
}

PickleValue SnapshotSink::frame() {
  return PickleValue::made(kFrame, stacks_.frame({fields_[kName].text_id(), fields_[kFilename].text_id(), whole(kLine)}));
}

Row SnapshotSink::stack_of() const {
  const PickleValue frames = fields_[kFrames];
  return frames.is_made(kStack) ? static_cast<Row>(frames.made_number()) : kNoRow;
}

// Its place in `streams`. There are few, and mostly the same one again.
std::uint32_t SnapshotSink::stream_of(std::int64_t stream) {
  if (last_stream_ < streams.size() && streams[last_stream_] == stream) return last_stream_;
  auto at = stream_numbers_.try_emplace(stream, static_cast<std::uint32_t>(streams.size()));
  if (at.second) streams.push_back(stream);
  return last_stream_ = at.first->second;
}

// What the program set itself, else what its compiler set.
StringId SnapshotSink::context_of() const {
  for (const Field field : {kUserMetadata, kCompileContext}) {
    const StringId text = fields_[field].text_id();
    if (text != StringId::none && text != no_context_ && !p_.text(text).empty()) return text;
  }
  return StringId::none;
}

PickleValue SnapshotSink::segment() {
  const std::int64_t size = whole(kTotalSize), address = whole(kAddress);
  if (size < 0 || size > kMostBytes || address == kUnknown) return lacks_something();
  const PickleValue pool = fields_[kPool];
  Segment made{.device = whole(kDevice),
               .address = address,
               .size = size,
               .allocated = whole(kAllocatedSize),
               .active = whole(kActiveSize),
               .stream = whole(kStream),
               .kind = fields_[kSegmentType].text_id(),
               .pool = pool.is_made(kPair) ? static_cast<StringId>(pool.made_number()) : StringId::none,
               .expandable = from_->flag(fields_[kExpandable]),
               .stack = stack_of(),
               .first_block = 0,
               .last_block = 0};
  if (fields_[kBlocks].is_made(kBlockList)) {
    std::tie(made.first_block, made.last_block) = block_lists_[fields_[kBlocks].made_number()];
    std::int64_t at = address;  // older files do not state where blocks begin
    for (std::uint32_t i = made.first_block; i < made.last_block; ++i) {
      if (blocks[i].address == kUnknown) blocks[i].address = at;
      if (__builtin_add_overflow(at, blocks[i].size, &at)) at = kUnknown;
    }
  }
  segments.push_back(made);
  return PickleValue::made(kOther, 0);
}

PickleValue SnapshotSink::annotation() {
  const std::string_view stage = p_.text(fields_[kStage].text_id());
  const std::int64_t time = whole(kTime);
  if ((stage != "START" && stage != "END") || time == kUnknown) return lacks_something();
  annotations.push_back({fields_[kName].text_id(), stage == "START", whole(kDevice), time});
  return PickleValue::made(kOther, 0);
}

PickleValue SnapshotSink::root() {
  is_snapshot = true;
  has_segments = has(kSegments);
  const PickleValue set = fields_[kAllocatorSettings];
  if (set.is_made(kSettings)) settings = dicts_[set.made_number()];
  return PickleValue::made(kOther, 0);
}

PickleValue SnapshotSink::other_dict(std::span<const PickleValue> items) {
  if (dicts_.size() >= kMostSettings || items.size() > 2 * kMostSettings) return PickleValue::made(kOther, 0);
  Settings made;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const PickleValue value = items[i + 1];
    if (items[i].text_id() == StringId::none) continue;
    std::string words;
    if (value.is(Kind::boolean)) {
      words = from_->flag(value) ? "true" : "false";
    } else if (value.is(Kind::integer) || value.is(Kind::wide)) {
      words = std::to_string(from_->integer(value));
    } else if (value.is(Kind::real)) {
      words = fmt::format("{}", from_->real(value));
    }
    const StringId text = value.is(Kind::text) ? value.text_id() : p_.strings.intern(words);
    if (text != StringId::none) made.emplace_back(items[i].text_id(), text);
  }
  dicts_.push_back(std::move(made));
  return PickleValue::made(kSettings, dicts_.size() - 1);
}

}  // namespace sightline::formats::torch_memory
