// One pass over the entries in order of time. Totals count from 0 first; what was allocated before the history is known only at
// its end, and is added then.
#include "formats/torch_memory/history.h"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

#include "base/sort.h"
#include "formats/common/categories.h"

namespace sightline::formats::torch_memory {

namespace {

constexpr std::int64_t kDeviceType = 1;  // CUDA, in the framework's numbers

// Unsigned, so that sums of damaged sizes are defined.
struct Totals {
  std::uint64_t allocated = 0, reserved = 0;
};

std::uint64_t bits(std::int64_t bytes) { return static_cast<std::uint64_t>(bytes); }
std::int64_t bytes_of(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

// The next entry of a device's history.
struct Cursor {
  std::size_t range = 0;
  std::uint32_t at = 0;
  Time time = 0;  // of that entry, never before the ones before it
};

struct LiveBlock {
  std::int64_t size;
  bool released;  // but not yet free for reuse
  Row allocation = kNoRow;
};

struct DeviceState {
  std::int64_t ordinal = 0;
  StringId name = StringId::none;
  Totals now, before;  // `before`: at the start
  std::unordered_map<std::int64_t, LiveBlock> live;
  bool separates = false;  // whether releases and their completion are separate entries
  bool lacks_segments = false;
  std::int64_t unmatched = 0;  // releases of blocks whose allocation is not in the history
  std::int64_t entries = 0;
  std::uint64_t stated_allocated = 0;  // by the segments
};

class HistoryAdder {
 public:
  HistoryAdder(SnapshotSink& read, std::int64_t origin, ProfileBuilder& out)
      : read_(read), e_(read.entries), origin_(origin), out_(out), p_(out.profile()), rows_(p_.memory_events) {}

  void add() {
    open_devices();
    in_order_of_time();
    add_segments();
    count_blocks_before();
    add_segment_tables();
    add_totals_before();
    complete_columns();
    for (const DeviceState& device : devices_) report(device);
    report_times();
  }

 private:
  // ---- devices and order ----

  std::size_t device_of(std::int64_t ordinal) {
    const auto [at, is_new] = number_.try_emplace(ordinal, devices_.size());
    if (is_new) {
      devices_.emplace_back();
      devices_.back().ordinal = ordinal;
      devices_.back().name = p_.strings.intern(memory_device_name(kDeviceType, ordinal));
    }
    return at->second;
  }

  void open_devices() {
    std::int64_t next = 0;
    for (History& history : read_.histories) {
      if (history.device == kUnknown) history.device = next;
      next = history.device + 1;
      history_device_.push_back(device_of(history.device));
    }
    for (const Segment& segment : read_.segments) device_of(segment.device == kUnknown ? 0 : segment.device);
    one_device_ = devices_.size() < 2;
    for (std::size_t i = 0; i < read_.histories.size(); ++i) {
      for (const auto& [first, last] : read_.histories[i].ranges) {
        DeviceState& device = devices_[history_device_[i]];
        device.entries += last - first;
        device.separates |=
            std::find(e_.action.begin() + first, e_.action.begin() + last, Action::free_requested) != e_.action.begin() + last;
      }
    }
  }

  // The time of an entry as recorded, else one µs after the one before.
  Time time_of(std::uint32_t entry, Time before) {
    if (e_.time[entry] == kUnknown) {
      ++without_time_;
      return before + 1000;
    }
    constexpr std::int64_t kFar = std::int64_t{1} << 52;  // µs
    const std::int64_t since = std::clamp(e_.time[entry], -kFar, kFar) - origin_;
    const Time time = std::clamp(since, -kFar, kFar) * 1000;
    if (time < before) ++backwards_;
    return std::max(time, before);
  }

  // Ties keep the order of the file.
  void in_order_of_time() {
    std::vector<Cursor> cursors(read_.histories.size());
    using Next = std::pair<Time, std::size_t>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    const auto open = [&](std::size_t i, Time before) {
      Cursor& cursor = cursors[i];
      cursor.time = time_of(cursor.at, before);
      next.emplace(cursor.time, i);
    };
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      if (read_.histories[i].ranges.empty()) continue;
      cursors[i].at = read_.histories[i].ranges.front().first;
      open(i, 0);
    }
    while (!next.empty()) {
      const std::size_t i = next.top().second;
      next.pop();
      Cursor& cursor = cursors[i];
      do {
        add_entry(devices_[history_device_[i]], cursor, read_.histories[i]);
        if (!advance(cursor, read_.histories[i])) break;
        cursor.time = time_of(cursor.at, cursor.time);
      } while (next.empty() || cursor.time < next.top().first);
      if (cursor.range < read_.histories[i].ranges.size()) next.emplace(cursor.time, i);
    }
  }

  static bool advance(Cursor& cursor, const History& history) {
    if (++cursor.at < history.ranges[cursor.range].second) return true;
    if (++cursor.range == history.ranges.size()) return false;
    cursor.at = history.ranges[cursor.range].first;
    return true;
  }

  // ---- entries ----

  void add_entry(DeviceState& device, Cursor& cursor, const History& history) {
    const std::uint32_t i = cursor.at;
    switch (e_.action[i]) {
      case Action::alloc: return allocate(device, i, cursor.time);
      case Action::free_requested: {
        const bool last = cursor.at + 1 == history.ranges[cursor.range].second;
        const bool at_once = !last && e_.action[i + 1] == Action::free_completed && e_.address[i + 1] == e_.address[i];
        release(device, i, cursor.time, at_once);
        if (at_once) advance(cursor, history);
        return;
      }
      case Action::free_completed: return complete(device, i, cursor.time);
      case Action::segment_alloc:
      case Action::segment_map: device.now.reserved += bits(e_.size[i]); return add_other(device, i, cursor.time);
      case Action::segment_free:
      case Action::segment_unmap: device.now.reserved -= bits(e_.size[i]); return add_other(device, i, cursor.time);
      case Action::annotate: return;
      case Action::oom:
      case Action::snapshot:
      case Action::other: return add_other(device, i, cursor.time);
    }
  }

  void add_row(DeviceState& device, std::uint32_t i, Time time, std::int64_t bytes) {
    if (!one_device_) {
      rows_.device.push_back(device.ordinal);
      rows_.device_name.push_back(device.name);
    }
    rows_.time.push_back(time);
    rows_.address.push_back(e_.address[i]);
    rows_.bytes.push_back(bytes);
    rows_.total_allocated.push_back(bytes_of(device.now.allocated));
    rows_.total_reserved.push_back(bytes_of(device.now.reserved));
    rows_.stack.push_back(e_.stack[i]);
    rows_.stream.push_back(read_.streams[e_.stream[i]]);
    rows_.context.push_back(e_.context[i]);
  }

  void allocate(DeviceState& device, std::uint32_t i, Time time) {
    const auto [at, is_new] = device.live.try_emplace(e_.address[i]);
    if (!is_new) {  // its release is missing
      ++lost_releases_;
      if (!at->second.released) device.now.allocated -= bits(at->second.size);
    }
    device.now.allocated += bits(e_.size[i]);
    at->second = {e_.size[i], false, static_cast<Row>(rows_.time.size())};
    add_row(device, i, time, e_.size[i]);
  }

  // The program released a block, and if `at_once`, it can be used again.
  void release(DeviceState& device, std::uint32_t i, Time time, bool at_once) {
    const auto at = device.live.find(e_.address[i]);
    const bool known = at != device.live.end() && !at->second.released;
    const std::int64_t size = known ? at->second.size : e_.size[i];
    device.now.allocated -= bits(size);
    if (!known) {
      ++device.unmatched;
      device.before.allocated += bits(size);
    }
    add_row(device, i, time, -size);
    if (!at_once) {
      device.live[e_.address[i]] = {size, true};
    } else if (known) {
      device.live.erase(at);
    }
  }

  void complete(DeviceState& device, std::uint32_t i, Time time) {
    const auto at = device.live.find(e_.address[i]);
    if (at == device.live.end() && device.separates) return;  // it was released before the history
    if (at == device.live.end() || !at->second.released) return release(device, i, time, true);
    device.live.erase(at);
  }

  void add_other(DeviceState& device, std::uint32_t i, Time time) {
    ProfileBuilder::Lane& lane = out_.thread("allocator of " + std::string(p_.text(device.name)));
    const StringId name = p_.strings.intern(action_name(e_.action[i]));
    std::vector<RowFact> facts;
    const auto fact = [&](std::string_view of, std::int64_t value) {
      if (value != kUnknown) facts.push_back({p_.strings.intern(of), StringId::none, static_cast<double>(value)});
    };
    fact("size", e_.size[i]);
    if (e_.action[i] == Action::oom) {
      fact("device_free", e_.address[i]);
      add_failure(device, i, time);
    }
    out_.add(lane, TableRow{.slice = {time, 0, name, SliceKind::annotation, kUnknown}}, facts);
  }

  void add_failure(const DeviceState& device, std::uint32_t i, Time time) {
    MemoryFailures& to = p_.memory_failures;
    const Row row = add_unknown_row(to);
    to.time[row] = time;
    to.device[row] = device.ordinal;
    to.device_name[row] = device.name;
    to.requested[row] = e_.size[i];
    to.device_free[row] = e_.address[i];
    to.stream[row] = read_.streams[e_.stream[i]];
    to.stack[row] = e_.stack[i];
  }

  // ---- segments, and the state before the history ----

  std::size_t device_of(const Segment& segment) { return device_of(segment.device == kUnknown ? 0 : segment.device); }

  void add_segments() {
    const std::vector<Segment>& all = read_.segments;
    for (const Segment& segment : all) {
      const std::size_t number = device_of(segment);
      if (segment.allocated != kUnknown) devices_[number].stated_allocated += bits(segment.allocated);
      reserved_at_end_[number] += bits(segment.size);
      std::int64_t sum = 0;
      for (std::uint32_t i = segment.first_block; i < segment.last_block; ++i) {
        if (__builtin_add_overflow(sum, read_.blocks[i].size, &sum)) sum = -1;
      }
      if (sum == segment.size) {
        whole_segments_.push_back({segment.first_block, segment.last_block, static_cast<std::uint32_t>(number)});
      } else {
        ++partial_segments_;
      }
    }
  }

  // The tables of segments and their blocks, in order of their addresses.
  void add_segment_tables() {
    std::vector<const Segment*> all;
    for (const Segment& segment : read_.segments) all.push_back(&segment);
    const auto place = [&](const Segment* of) { return std::pair(devices_[device_of(*of)].ordinal, of->address); };
    std::stable_sort(all.begin(), all.end(), [&](const Segment* a, const Segment* b) { return place(a) < place(b); });
    for (const Segment* segment : all) {
      const DeviceState& device = devices_[device_of(*segment)];
      add_blocks(device, *segment, add_segment(device, *segment));
    }
  }

  Row add_segment(const DeviceState& device, const Segment& from) {
    MemorySegments& to = p_.memory_segments;
    const Row row = add_unknown_row(to);
    to.device[row] = device.ordinal;
    to.device_name[row] = device.name;
    to.address[row] = from.address;
    to.bytes[row] = from.size;
    to.allocated[row] = from.allocated;
    to.active[row] = from.active;
    to.kind[row] = from.kind;
    to.stream[row] = from.stream;
    to.pool[row] = from.pool;
    to.expandable[row] = from.expandable;
    to.stack[row] = from.stack;
    return row;
  }

  void add_blocks(const DeviceState& device, const Segment& segment, Row row) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = segment.first_block; i < segment.last_block; ++i) order.push_back(i);
    sort_up(order, [&](std::uint32_t each) { return read_.blocks[each].address; });
    MemoryBlocks& to = p_.memory_blocks;
    for (const std::uint32_t i : order) {
      const Block& block = read_.blocks[i];
      const auto live = device.live.find(block.address);
      to.segment.push_back(row);
      to.address.push_back(block.address);
      to.bytes.push_back(block.size);
      to.requested.push_back(block.requested);
      to.state.push_back(state_of(block));
      to.stack.push_back(block.stack);
      to.allocation.push_back(live != device.live.end() && is_in_use(block) ? live->second.allocation : kNoRow);
    }
  }

  bool is_in_use(const Block& block) const { return p_.text(block.state).starts_with("active"); }

  StringId state_of(const Block& block) {
    const std::string_view state = p_.text(block.state);
    if (state == "active_allocated") return p_.strings.intern("allocated");
    if (state == "inactive") return p_.strings.intern("free");
    return state.starts_with("active") ? p_.strings.intern("awaiting_free") : block.state;
  }

  // Blocks that are in use at the end and were not allocated in the history were there before it.
  void count_blocks_before() {
    for (const auto& [first, last, of] : whole_segments_) {
      DeviceState& device = devices_[of];
      for (std::uint32_t i = first; i < last; ++i) {
        const Block& block = read_.blocks[i];
        if (p_.text(block.state) == "active_allocated" && !device.live.contains(block.address))
          device.before.allocated += bits(block.size);
      }
    }
    if (!read_.has_segments) return;
    for (std::size_t i = 0; i < devices_.size(); ++i)
      devices_[i].before.reserved = reserved_at_end_[i] - devices_[i].now.reserved;
  }

  void add_totals_before() {
    for (std::size_t row = 0; row < rows_.time.size(); ++row) {
      const Totals& before = one_device_ ? devices_[0].before : devices_[number_.at(rows_.device[row])].before;
      rows_.total_allocated[row] = bytes_of(bits(rows_.total_allocated[row]) + before.allocated);
      rows_.total_reserved[row] = read_.has_segments ? bytes_of(bits(rows_.total_reserved[row]) + before.reserved) : kUnknown;
    }
    forget_impossible_reserves();
  }

  // A history that lacks changes of segments allocates more than they hold: then no total of what is reserved is known.
  void forget_impossible_reserves() {
    if (!read_.has_segments) return;
    const auto is_impossible = [&](std::size_t row) { return rows_.total_allocated[row] > rows_.total_reserved[row]; };
    const auto number = [&](std::size_t row) { return one_device_ ? 0 : number_.at(rows_.device[row]); };
    for (std::size_t row = 0; row < rows_.time.size(); ++row) devices_[number(row)].lacks_segments |= is_impossible(row);
    for (std::size_t row = 0; row < rows_.time.size(); ++row) {
      if (devices_[number(row)].lacks_segments) rows_.total_reserved[row] = kUnknown;
    }
  }

  void complete_columns() {
    const std::size_t rows = rows_.time.size();
    e_ = Entries();
    rows_.device_type = uniform_column(rows, kDeviceType);
    if (one_device_ && rows > 0) {
      rows_.device = uniform_column(rows, devices_[0].ordinal);
      rows_.device_name = uniform_column(rows, devices_[0].name);
    }
    fill_unknown_columns(rows_);
    share_repeated(rows_);
  }

  // ---- what does not add up ----

  void problem(Severity severity, std::string_view code, const Message& message, std::int64_t count = 1) {
    p_.add_problem(severity, code, message, count, kUnknown);
  }

  void report(const DeviceState& device) {
    const std::string name(p_.text(device.name));
    if (device.unmatched > 0) {
      problem(
          Severity::warning, "history_incomplete",
          say("{}: releases of blocks that were allocated before the history: {}, of {} entries. The allocator keeps only the "
              "last entries, so earlier ones may be missing",
              name, device.unmatched, device.entries),
          device.unmatched);
    }
    if (device.lacks_segments) {
      problem(Severity::warning, "reserved_unknown",
              say("{}: the history allocates more bytes than its segments hold, so it lacks changes of segments; how much was "
                  "reserved is unknown",
                  name));
    }
    const std::uint64_t computed = device.before.allocated + device.now.allocated;
    if (read_.has_segments && device.entries > 0 && computed != device.stated_allocated) {
      problem(
          Severity::warning, "totals_differ",
          say("{}: by the history, {} bytes are allocated at the end; by the segments, {} bytes; the totals follow the history",
              name, computed, device.stated_allocated));
    }
  }

  void report_times() {
    if (partial_segments_ > 0) {
      problem(Severity::warning, "blocks_incomplete",
              "the blocks of a segment do not add up to its size; they do not count as allocated before the history",
              partial_segments_);
    }
    if (lost_releases_ > 0) {
      problem(Severity::warning, "release_missing",
              "an address was allocated again without a release; the block that was there counts as released then",
              lost_releases_);
    }
    if (without_time_ > 0) {
      problem(Severity::warning, "no_times", "an entry of the history has no time; it is shown 1 µs after the one before it",
              without_time_);
    }
    if (backwards_ > 0) {
      problem(Severity::note, "time_goes_back",
              "an entry has an earlier time than the one before it; it is shown at that one's time", backwards_);
    }
  }

  struct WholeSegment {
    std::uint32_t first, last, device;
  };

  SnapshotSink& read_;
  Entries& e_;
  std::int64_t origin_;
  ProfileBuilder& out_;
  Profile& p_;
  MemoryEvents& rows_;
  std::vector<DeviceState> devices_;
  std::map<std::int64_t, std::size_t> number_;  // in devices_, by ordinal
  std::vector<std::size_t> history_device_;
  std::map<std::size_t, std::uint64_t> reserved_at_end_;  // by number
  std::vector<WholeSegment> whole_segments_;
  bool one_device_ = true;
  std::int64_t partial_segments_ = 0, lost_releases_ = 0, without_time_ = 0, backwards_ = 0;
};

}  // namespace

void add_history(SnapshotSink& read, std::int64_t origin, ProfileBuilder& out) { HistoryAdder(read, origin, out).add(); }

}  // namespace sightline::formats::torch_memory
