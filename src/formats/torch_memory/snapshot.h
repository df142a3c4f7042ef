// SnapshotSink: what a memory snapshot holds, as it comes out of the pickle: the entries of the allocator's history as raw
// columns, segments and blocks, annotations, settings. Nothing is computed here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/common/stack_pool.h"
#include "formats/common/unpickler.h"
#include "model/profile.h"

namespace sightline::formats::torch_memory {

enum class Action : std::uint8_t {
  alloc,
  free_requested,
  free_completed,
  segment_alloc,
  segment_free,
  segment_map,
  segment_unmap,
  snapshot,
  oom,
  annotate,
  other,
};
std::string_view action_name(Action action);

// Entries of all histories, in the order of the file.
struct Entries {
  Column<Action> action;
  Column<std::int64_t> address;  // of oom: the bytes that the device has free
  Column<std::int64_t> size;
  Column<std::int64_t> time;  // µs; kUnknown
  Column<Row> stack;
  Column<std::uint32_t> stream;  // of SnapshotSink::streams
  Column<StringId> context;
};

// A device's history: ranges of entries.
struct History {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  // first, one past the last
  std::int64_t device = kUnknown;                               // its place in the list of histories
};

struct Block {
  std::int64_t address, size, requested;
  StringId state;
  Row stack;
};

struct Segment {
  std::int64_t device, address, size, allocated, active, stream;
  StringId kind, pool;
  bool expandable;
  Row stack;
  std::uint32_t first_block, last_block;
};

struct Annotation {
  StringId name;
  bool starts;
  std::int64_t device, time;  // µs
};

using Settings = std::vector<std::pair<StringId, StringId>>;  // names and values

class SnapshotSink : public PickleSink {
 public:
  SnapshotSink(Profile& profile, ReadProgress* progress);
  void read_with(const Unpickler& from) { from_ = &from; }

  PickleValue list(PickleValue before, std::span<const PickleValue> items) override;
  PickleValue tuple(std::span<const PickleValue> items) override;
  PickleValue dict(PickleValue before, std::span<const PickleValue> items) override;

  Entries entries;
  std::vector<History> histories;  // those with entries
  std::vector<Block> blocks;
  std::vector<Segment> segments;
  std::vector<std::int64_t> streams;
  std::vector<Annotation> annotations;
  Settings settings;
  bool has_segments = false;    // whether the file lists segments, even none
  bool is_snapshot = false;     // whether the root has what a snapshot has
  std::int64_t incomplete = 0;  // entries, segments and blocks without what they need
  std::int64_t incomplete_at = 0;
  std::int64_t unknown_actions = 0;
  std::int64_t deep_stacks = 0;  // of which the outermost frames are left out
  std::int64_t lost_stacks = 0;  // left out: there are more than the file's size explains

 private:
  // The keys of dicts. The profile's first texts are their names, so a key's StringId is its Field plus 1.
  enum Field : std::uint8_t {
    kAction,
    kAddr,
    kSize,
    kTime,
    kDeviceFree,
    kName,
    kDevice,
    kAddress,
    kTotalSize,
    kAllocatedSize,
    kBlocks,
    kState,
    kStage,
    kFilename,
    kLine,
    kFrames,
    kStream,
    kSegmentType,
    kPool,
    kExpandable,
    kActiveSize,
    kRequestedSize,
    kCompileContext,
    kUserMetadata,
    kDeviceTraces,
    kSegments,
    kAllocatorSettings,
    kFields,
  };
  // Sorts of values that the sink makes.
  enum Made : std::uint8_t { kEntry, kTrace, kTraces, kBlock, kBlockList, kSettings, kFrame, kStack, kPair, kOther };
  using Fields = std::array<PickleValue, kFields>;

  bool fields_of(std::span<const PickleValue> items);
  bool has(Field field) const { return !fields_[field].is(PickleValue::Kind::none); }
  std::int64_t whole(Field field) const { return from_->integer(fields_[field]); }
  PickleValue entry();
  PickleValue trace(PickleValue before, std::span<const PickleValue> items);
  PickleValue traces(PickleValue before, std::span<const PickleValue> items);
  PickleValue stack(PickleValue before, std::span<const PickleValue> items);
  PickleValue pair(std::span<const PickleValue> items);
  PickleValue block();
  PickleValue block_list(PickleValue before, std::span<const PickleValue> items);
  PickleValue segment();
  PickleValue frame();
  Row stack_of() const;
  std::uint32_t stream_of(std::int64_t stream);
  StringId context_of() const;
  PickleValue annotation();
  PickleValue root();
  PickleValue other_dict(std::span<const PickleValue> items);
  Action action_of(PickleValue value);
  PickleValue lacks_something();

  Profile& p_;
  ReadProgress* progress_;
  const Unpickler* from_ = nullptr;
  Fields fields_{};
  StackPool stacks_;
  std::vector<Row> frames_;  // of the stack that is read
  std::unordered_map<std::int64_t, std::uint32_t> stream_numbers_;
  std::uint32_t last_stream_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> block_lists_;  // ranges of blocks
  std::vector<Settings> dicts_;
  std::array<StringId, 12> action_texts_{};  // by Action
  StringId no_context_ = StringId::none;
};

}  // namespace sightline::formats::torch_memory
