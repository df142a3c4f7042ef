// EventBatch: the events of one window as raw columns, and BatchBuilder, which fills it from scanned events. Rows that only
// some events have (ids, shapes, kernel properties, ...) are in side tables, which name the slice by its index in the batch.
// Strings are ids in the pool of the thread that parsed the window.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/common/categories.h"
#include "formats/trace_events/event_scanner.h"
#include "model/profile.h"
#include "model/string_pool.h"
#include "model/tables.h"

namespace sightline::formats::trace_events {

// ---- batches ----

inline constexpr std::int64_t kStillOpen = kUnknown + 1;  // duration of a B event that waits for its E

struct RawSlices {
  std::vector<std::int64_t> start;  // ns, in the file's own time base
  std::vector<std::int64_t> duration;
  std::vector<std::int64_t> source;
  std::vector<StringId> name;
  std::vector<std::uint32_t> track;
  std::vector<Category> category;
  std::size_t size() const { return start.size(); }
};

// Host ranges with an id, shapes or a stack: operators and annotations.
struct RawHost {
  RawHost(std::uint32_t of, std::int64_t id, Category category)
      : external_id(id), slice_and_kind(of << 1 | std::uint32_t{category == Category::op}) {}

  bool is_op() const { return (slice_and_kind & 1) != 0; }

  std::int64_t external_id;
  std::uint32_t slice_and_kind;  // one word: bit fields are read before they are written, which costs a second fault a page
  StringId shapes = StringId::none, types = StringId::none, strides = StringId::none, values = StringId::none;
  StringId stack = StringId::none;
};
static_assert(sizeof(RawHost) == 32, "one row per host range of the window");

template <typename Entry>
std::uint32_t slice_of(const Entry& entry) {
  return entry.slice;
}
inline std::uint32_t slice_of(const RawHost& host) { return host.slice_and_kind >> 1; }

struct RawLaunch {
  std::uint32_t slice;
  StringId kernel;  // that it launches, if the call states it
  std::int64_t external_id, correlation;
};

struct RawDeviceWork {
  std::uint32_t slice;
  std::int64_t external_id, correlation, device, shared_bytes, bytes;
  StringId grid, block, core;
  std::int32_t registers;
  float blocks_per_core, occupancy;
  float warps_per_core = kUnknownReal;
  std::int64_t queued = kUnknown;  // ns, in the file's own time base or another
  bool named_by_core = true;       // whether a name without a sign of matrix units means that they are not used
};

// An argument that becomes a fact, under its name in the file. A number below `least` means unknown.
struct FactArg {
  Arg arg;
  std::string_view name;
  std::int64_t least;
};

// A named value of any slice, in the form of work_facts.
struct RawFact {
  std::uint32_t slice;
  StringId name;
  double number;  // NaN: a text
  StringId text;
};

struct RawModule {
  std::uint32_t slice;
  std::int64_t instance;
};

struct RawCollective {
  std::uint32_t slice;
  StringId name, group, group_about, group_ranks, dtype;
  std::int64_t group_size, in_elements, out_elements, sequence;
};

struct RawMemory {
  std::int64_t time, device_type, device, address, bytes, total_allocated, total_reserved;
  std::uint32_t track;
};

// The fields of an event without a category; a reader that knows the writer makes device work or launches of them.
struct RawTask {
  std::uint32_t slice;
  std::int64_t connection, elements;
  StringId type, element_type;
};

enum class FlowChannel : std::uint8_t { forward_backward, to_device, queue, graph_node };

struct RawFlowEnd {
  std::int64_t time, id;
  std::uint32_t track;
  FlowChannel channel;
  bool begins;
};

struct RawEnd {  // an E event
  std::int64_t time;
  std::uint32_t track;
  std::uint32_t before;  // the index of the slice that follows it in the batch
};

struct RawCounter {
  std::int64_t time;
  std::uint32_t track;  // (pid, counter name)
  double value;
};

struct RawName {  // process and thread names, labels and sort keys (M events)
  StringId what, pid, tid, text;
  std::int64_t sort_key;
};

enum class EventProblem : std::uint8_t {
  control_character,
  not_utf8,
  malformed_event,
  long_event,
  many_series,
  bad_escape,
  missing_name,
  missing_time,
  missing_duration,
  negative_duration,
  long_duration,
  not_a_number,
  unknown_phase,
  unmatched_end,
  unfinished_slice,
  truncated,
  count
};

struct ProblemTally {
  std::int64_t count = 0;
  std::int64_t first_offset = kUnknown;
  void add(std::int64_t offset) { add(1, offset); }
  void add(std::int64_t more, std::int64_t offset) {
    if (more == 0) return;
    if (count == 0 || offset < first_offset) first_offset = offset;
    count += more;
  }
};

using ProblemTallies = std::map<EventProblem, ProblemTally>;

struct EventBatch {
  unsigned worker = 0;  // whose pool and tracks the ids refer to
  std::int64_t events = 0;
  RawSlices slices;
  std::vector<RawHost> hosts;
  std::vector<RawLaunch> launches;
  std::vector<RawDeviceWork> device_work;
  std::vector<RawModule> modules;
  std::vector<RawTask> tasks;
  std::vector<RawCollective> collectives;
  std::vector<RawFact> facts;
  std::vector<RawMemory> memory;
  std::vector<RawFlowEnd> flow_ends;
  std::vector<RawEnd> ends;
  std::vector<RawCounter> counters;
  std::vector<RawName> names;
  ProblemTallies problems;
};

// A row of the timeline as one parser thread knows it.
struct RawTrack {
  StringId pid, tid;
  bool device;
  bool counter;
  friend bool operator==(const RawTrack&, const RawTrack&) = default;
};

// Everything that one parser thread keeps from window to window.
class BatchBuilder {
 public:
  explicit BatchBuilder(unsigned worker) : worker_(worker) {}

  // Scans a window; `offset` is its place in the decompressed file. The batch has exactly the size that it needs.
  EventBatch build(char* text, std::size_t size, std::int64_t offset, WindowEnd& end, std::size_t& end_offset);

  StringPool& strings() { return strings_; }
  const std::vector<RawTrack>& tracks() const { return tracks_; }

  // ---- for events that are not JSON text ----
  // The members of an event are as the scanner gives them, but texts have no escapes; `offset` is from the file's beginning.

  // The batch that is being filled; `take` begins another one.
  EventBatch& batch() { return batch_; }
  EventBatch take();
  // A new track. What names it may be set later.
  std::uint32_t add_track(const RawTrack& track);
  void set_track(std::uint32_t track, const RawTrack& to) { tracks_[track] = to; }
  // Returns the slice's index in the batch. Tracks that others add are not those of event.pid and event.tid.
  std::uint32_t add_slice(const Event& event, std::uint32_t track, std::int64_t start, std::int64_t duration);
  // An event of the allocator.
  void add_memory(const Event& event, std::uint32_t track, std::int64_t time);
  Category category_of(const Event& event);

 private:
  void add(const Event& event);
  void put_slice(const Event& event, Category category, std::uint32_t track, std::int64_t start, std::int64_t duration);
  void add_slice(const Event& event, Category category, std::int64_t start, std::int64_t duration) {
    put_slice(event, category, track_of(event, on_device(category)), start, duration);
  }
  void add_host(const Event& event, Category category, std::uint32_t slice);
  void add_device_work(const Event& event, std::uint32_t slice);
  void add_collective(const Event& event, std::uint32_t slice);
  void add_facts(const Event& event, std::uint32_t slice, std::span<const FactArg> wanted);
  void add_counter_facts(const Event& event, std::uint32_t slice);
  void add_memory(const Event& event, std::int64_t time) { add_memory(event, track_of(event, false), time); }
  void add_task(const Event& event, std::uint32_t slice);
  void add_flow_end(const Event& event);
  void add_counter(const Event& event, std::int64_t time);
  template <typename Take>
  void each_argument(const Event& event, Take&& take) const;
  void add_metadata(const Event& event);

  // A text that many consecutive events repeat: it is hashed only when it changes.
  struct LastText {
    char text[40];
    std::size_t size = sizeof text + 1;
    StringId id = StringId::none;
  };
  StringId intern(LastText& last, std::string_view text);

  // A track by the texts that name it; most events belong to one of a few.
  struct KnownTrack {
    std::array<char, 46> text;  // of the process and the thread
    std::uint8_t pid_size = 255, tid_size = 0;
    bool device = false;
    std::uint32_t track = 0;
  };
  StringId intern(const Event& event, std::string_view text);
  StringId slice_name(const Event& event, Category category);
  std::uint32_t track_of(const Event& event, bool device);
  std::uint32_t track_id(RawTrack track);
  std::int64_t integer(const Event& event, Arg arg);
  float real(const Event& event, Arg arg);
  bool time_of(const Event& event, std::string_view text, EventProblem missing, std::int64_t& time);
  void problem(EventProblem what, const Event& event) {
    batch_.problems[what].add(offset_ + static_cast<std::int64_t>(event.offset));
  }

  unsigned worker_;
  StringPool strings_;
  LastText last_category_;
  std::vector<Category> category_of_name_;  // by StringId of the category text
  std::vector<RawTrack> tracks_;
  std::unordered_map<std::uint64_t, std::uint32_t> track_ids_;
  std::array<KnownTrack, 32> known_tracks_;
  EventScanner scanner_;
  EventBatch batch_;
  std::int64_t offset_ = 0;
  const char* text_ = nullptr;
  std::string unescaped_;
};

// JSON string contents with escapes resolved; a bad escape stays as written and sets *bad.
std::string unescape(std::string_view text, bool* bad);

// ---- problems ----
// The faults of single events, summed up as rows of the problems table.

// One row per kind of problem, with its count and the offset of the first.
void report_problems(const std::vector<EventBatch>& batches, Profile& profile);

}  // namespace sightline::formats::trace_events
