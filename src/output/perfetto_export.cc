// export_perfetto: first the tracks of processes, then lane by lane its tracks and slices. What is open is closed before the next
// slice begins, so events of a track are in the order in which they nest, whatever their times have in common.
#include "output/trace_export.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "base/proto_writer.h"
#include "base/text.h"
#include "model/nesting.h"
#include "output/slice_args.h"

namespace sightline::output {

namespace {

// ---- packets: numbers of fields, names that are written once, and what goes out in pieces ----

namespace perfetto {

// Numbers of fields, by message.
enum Trace : unsigned { kPacket = 1 };
enum Packet : unsigned {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequence = 10,
  kTrackEvent = 11,
  kInterned = 12,
  kSequenceFlags = 13,
  kTrackDescriptor = 60
};
enum Descriptor : unsigned {
  kUuid = 1,
  kTrackName = 2,
  kProcess = 3,
  kThread = 4,
  kParent = 5,
  kCounter = 8,
  kChildOrder = 11,
  kRank = 12,
  kDescription = 14
};
enum Process : unsigned { kPid = 1, kProcessName = 6, kProcessLabel = 8 };
enum Thread : unsigned { kThreadPid = 1, kThreadTid = 2, kThreadName = 5 };
enum CounterUnit : unsigned { kUnit = 3, kUnitName = 6 };
enum Event : unsigned {
  kCategory = 3,
  kAnnotation = 4,
  kType = 9,
  kName = 10,
  kTrack = 11,
  kDoubleValue = 44,
  kFlow = 47,
  kFlowEnd = 48
};
enum Annotation : unsigned { kKey = 1, kInteger = 4, kReal = 5, kJson = 9, kText = 17 };
enum Interned : unsigned { kCategories = 1, kNames = 2, kKeys = 3, kTexts = 29 };

enum EventType : unsigned { kBegin = 1, kEnd = 2, kCounterValue = 4 };

// Names of one kind, numbered; a new one is appended to the next packet's interned data.
class Names {
 public:
  explicit Names(unsigned field) : field_(field) {}

  std::uint64_t number_of(std::string_view text, ProtoWriter& interned) {
    const auto [at, is_new] = numbers_.try_emplace(std::string(text), numbers_.size() + 1);
    if (is_new) {
      ProtoWriter entry;
      entry.integer(1, at->second);
      entry.bytes(2, at->first);
      interned.message(field_, entry);
    }
    return at->second;
  }

 private:
  unsigned field_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
};

// The one sequence of the trace.
class TracePackets {
 public:
  explicit TracePackets(const std::function<bool(std::string_view)>& write) : write_(write) {}

  Names categories{kCategories}, names{kNames}, keys{kKeys}, texts{kTexts};
  ProtoWriter interned;  // goes out with the next event

  void descriptor(const ProtoWriter& track) {
    ProtoWriter packet;
    packet.message(kTrackDescriptor, track);
    send(packet);
  }

  void event(std::uint64_t time, const ProtoWriter& what) {
    ProtoWriter packet;
    packet.integer(kTimestamp, time);
    packet.message(kTrackEvent, what);
    if (!interned.empty()) packet.message(kInterned, interned);
    interned.clear();
    send(packet);
  }

  void send(ProtoWriter& packet) {
    constexpr std::uint64_t kCleared = 1, kNeedsState = 2;
    packet.integer(kSequence, 1);
    packet.integer(kSequenceFlags, first_ ? kCleared | kNeedsState : kNeedsState);
    first_ = false;
    out_.message(kPacket, packet);
    if (out_.data().size() >= std::size_t{1} << 20) flush();
  }

  void flush() {
    if (!stopped_ && !write_(out_.data())) stopped_ = true;
    out_.clear();
  }

  bool stopped() const { return stopped_; }

 private:
  const std::function<bool(std::string_view)>& write_;
  ProtoWriter out_;
  bool first_ = true;
  bool stopped_ = false;
};

}  // namespace perfetto

// ---- tracks and slices ----

using namespace perfetto;

// Ids of flows by the slice at one end, sorted.
using FlowEnds = std::vector<std::pair<Row, std::uint64_t>>;

class Annotations final : public ArgSink {
 public:
  Annotations(TracePackets& packets, ProtoWriter& event) : packets_(packets), event_(event) {}

  void integer(std::string_view key, std::int64_t value) override {
    add(key, [&](ProtoWriter& to) { to.integer(kInteger, static_cast<std::uint64_t>(value)); });
  }
  void real(std::string_view key, float value) override {
    add(key, [&](ProtoWriter& to) { to.real(kReal, value); });
  }
  void text(std::string_view key, std::string_view value) override {
    add(key, [&](ProtoWriter& to) { to.integer(kText, packets_.texts.number_of(to_utf8(value), packets_.interned)); });
  }
  void json(std::string_view key, std::string_view value) override {
    if (const auto number = whole_number<std::int64_t>(value)) return integer(key, *number);
    add(key, [&](ProtoWriter& to) { to.bytes(kJson, to_utf8(value)); });
  }

 private:
  template <typename Fill>
  void add(std::string_view key, Fill&& fill) {
    ProtoWriter annotation;
    annotation.integer(kKey, packets_.keys.number_of(key, packets_.interned));
    fill(annotation);
    event_.message(kAnnotation, annotation);
  }

  TracePackets& packets_;
  ProtoWriter& event_;
};

// An id as the system has them: positive, 32 bits. Viewers give other values a special meaning.
std::optional<std::uint64_t> system_id(std::string_view text) {
  const auto id = whole_number<std::int32_t>(text);
  if (!id || *id <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(*id);
}

class PerfettoExporter {
 public:
  PerfettoExporter(const Timeline& timeline, const std::vector<Counter>& counters, const ExportRequest& request,
                   const std::function<bool(std::string_view)>& write)
      : timeline_(timeline), p_(timeline.profile()), counters_(counters), request_(request), packets_(write), args_(p_) {}

  void run() {
    const std::vector<std::uint32_t> lanes = lanes_of(timeline_, request_);
    find_flows(lanes);
    write_clocks();
    write_devices();
    write_processes();
    for (const std::uint32_t lane : lanes) write_lane(timeline_.lanes()[lane]);
    for (const Counter& counter : counters_) write_counter(counter);
    packets_.flush();
  }

 private:
  // Times are since the run's origin, moved so that none is negative.
  std::uint64_t at(Time time) const { return static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(first_); }

  // The flows that have both ends among the slices written, and the first time of all.
  void find_flows(const std::vector<std::uint32_t>& lanes) {
    std::vector<bool> written(p_.slices.rows());
    first_ = std::min(first_, request_.range.start);
    for (const std::uint32_t lane : lanes) {
      for (const Row slice : slices_touching(timeline_, timeline_.lanes()[lane], request_.range)) {
        written[slice] = true;
        first_ = std::min(first_, p_.slices.start[slice]);
      }
    }
    std::uint64_t id = 0;
    const auto add = [&](Row from, Row to, bool is_pair = false) {
      if (!written[from] || !written[to]) return;
      flows_from_.emplace_back(from, ++id);
      flows_to_.emplace_back(to, id);
      if (is_pair) pairs_.emplace_back(from, id);
    };
    for (std::size_t work = 0; work < p_.device_work.rows(); ++work) {
      const Row launch = p_.device_work.launch[work];
      if (launch != kNoRow) add(p_.launches.slice[launch], p_.device_work.slice[work]);
    }
    for (std::size_t flow = 0; flow < p_.flows.rows(); ++flow)
      add(p_.flows.from[flow], p_.flows.to[flow], p_.flows.kind[flow] == FlowKind::forward_backward);
    std::sort(pairs_.begin(), pairs_.end());
    std::sort(flows_from_.begin(), flows_from_.end());
    std::sort(flows_to_.begin(), flows_to_.end());
  }

  // What the trace's clock showed at the run's origin.
  void write_clocks() {
    if (p_.origin_unix_ns == kUnknown) return;
    constexpr std::uint64_t kRealTime = 1, kTraceClock = 6;
    ProtoWriter snapshot, packet;
    for (const auto& [clock, time] :
         {std::pair{kTraceClock, at(0)}, std::pair{kRealTime, static_cast<std::uint64_t>(p_.origin_unix_ns)}}) {
      ProtoWriter reading;
      reading.integer(1, clock);
      reading.integer(2, time);
      snapshot.message(1, reading);
    }
    snapshot.integer(2, kTraceClock);
    packet.message(kClockSnapshot, snapshot);
    packets_.send(packet);
  }

  std::uint64_t new_track() { return ++tracks_; }

  // What a reader needs to know of the devices: a track without events, which viewers do not show.
  void write_devices() {
    const std::string properties = device_properties(p_);
    if (properties.empty()) return;
    ProtoWriter track;
    track.integer(kUuid, new_track());
    track.bytes(kTrackName, "Devices");
    track.bytes(kDescription, "deviceProperties: " + to_utf8(properties));
    packets_.descriptor(track);
  }

  // The ids as the recording has them, which viewers show as text.
  static std::string description(std::initializer_list<std::pair<std::string_view, std::string>> lines) {
    std::string text;
    for (const auto& [key, value] : lines) {
      if (!value.empty() && value.find('\n') == value.npos) text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", key, value);
    }
    return text;
  }

  // A process of the system is one here, once it has a thread and an id; devices are groups of tracks.
  void write_processes() {
    std::vector<bool> has_threads(p_.processes.rows());
    for (Row lane = 0; lane < p_.lanes.rows(); ++lane) {
      if (p_.lanes.kind[lane] == LaneKind::host_thread && p_.lanes.process[lane] != kNoRow)
        has_threads[p_.lanes.process[lane]] = true;
    }
    constexpr std::uint64_t kExplicitOrder = 3;
    for (Row process = 0; process < p_.processes.rows(); ++process) {
      const std::string name = to_utf8(p_.text(p_.processes.name[process]));
      const std::string label = to_utf8(p_.text(p_.processes.label[process]));
      const auto pid = system_id(p_.text(p_.processes.pid[process]));
      ProtoWriter track, about;
      track.integer(kUuid, process_tracks_.emplace_back(new_track()));
      track.bytes(kDescription,
                  description({{"pid", to_utf8(p_.text(p_.processes.pid[process]))}, {"name", name}, {"label", label}}));
      const bool is_process = has_threads[process] && pid && taken_pids_.insert(*pid).second;
      pids_.push_back(is_process ? *pid : 0);
      if (is_process) {
        about.integer(kPid, *pid);
        if (!name.empty()) about.bytes(kProcessName, name);
        if (!label.empty()) about.bytes(kProcessLabel, label);
        track.message(kProcess, about);
      } else {
        track.bytes(kTrackName, label.empty() ? name : name.empty() ? label : fmt::format("{} ({})", label, name));
        track.integer(kChildOrder, kExplicitOrder);
      }
      packets_.descriptor(track);
    }
  }

  // The track of a lane's pile. The ranges of a thread that the system knows are that thread; whatever else has a name.
  std::uint64_t add_track(const DrawnLane& lane, std::size_t pile) {
    const Row process = p_.lanes.process[lane.source];
    std::string name = to_utf8(p_.text(p_.lanes.name[lane.source]));
    const std::string id = to_utf8(p_.text(p_.lanes.track[lane.source]));
    ProtoWriter track;
    const std::uint64_t uuid = new_track();
    track.integer(kUuid, uuid);
    const std::string pid_text = process == kNoRow ? "" : to_utf8(p_.text(p_.processes.pid[process]));
    track.bytes(kDescription, description({{"pid", pid_text}, {"tid", id}, {"name", name}}));
    const auto tid = system_id(id);
    const std::uint64_t pid = process == kNoRow ? 0 : pids_[process];
    const bool own = pile == 0 && lane.part == LanePart::ranges && p_.lanes.kind[lane.source] == LaneKind::host_thread;
    if (own && pid != 0 && tid && taken_tids_.insert(*tid).second) {
      ProtoWriter thread;
      thread.integer(kThreadPid, pid);
      thread.integer(kThreadTid, *tid);
      if (!name.empty()) thread.bytes(kThreadName, name);
      track.message(kThread, thread);
    } else {
      if (name.empty()) name = (p_.lanes.kind[lane.source] == LaneKind::host_thread ? "thread " : "stream ") + id;
      if (lane.part == LanePart::python) name += " (Python)";
      if (pile != 0) name += " (overlapping)";
      track.bytes(kTrackName, name);
      if (process != kNoRow) track.integer(kParent, process_tracks_[process]);
      track.integer(kRank, uuid);
    }
    packets_.descriptor(track);
    return uuid;
  }

  struct Pile {
    std::uint64_t track;
    std::vector<Time> open;  // ends, outermost first
  };

  void close_until(Pile& pile, Time time) {
    while (!pile.open.empty() && pile.open.back() <= time) {
      ProtoWriter event;
      event.integer(kType, kEnd);
      event.integer(kTrack, pile.track);
      packets_.event(at(pile.open.back()), event);
      pile.open.pop_back();
    }
  }

  static void add_flows(ProtoWriter& event, unsigned field, const FlowEnds& ends, Row slice) {
    auto found = std::lower_bound(ends.begin(), ends.end(), std::pair{slice, std::uint64_t{0}});
    for (; found != ends.end() && found->first == slice; ++found) event.fixed64(field, found->second);
  }

  void write_lane(const DrawnLane& lane) {
    Nester nester;
    std::vector<Pile> piles;
    for (const Row slice : slices_touching(timeline_, lane, request_.range)) {
      if (packets_.stopped()) return;
      const std::size_t number = nester.add(p_.slices.start[slice], p_.end_of(slice), slice).pile;
      while (number >= piles.size()) piles.push_back({add_track(lane, piles.size()), {}});
      Pile& pile = piles[number];
      close_until(pile, p_.slices.start[slice]);
      ProtoWriter event;
      event.integer(kType, kBegin);
      event.integer(kTrack, pile.track);
      event.integer(kCategory, packets_.categories.number_of(args_.category(slice), packets_.interned));
      event.integer(kName, packets_.names.number_of(to_utf8(p_.text(p_.slices.name[slice])), packets_.interned));
      add_flows(event, kFlow, flows_from_, slice);
      add_flows(event, kFlowEnd, flows_to_, slice);
      Annotations annotations(packets_, event);
      args_.visit(slice, annotations);
      const auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair{slice, std::uint64_t{0}});
      for (auto at = pair; at != pairs_.end() && at->first == slice; ++at)
        annotations.integer("fwdbwd", static_cast<std::int64_t>(at->second));
      packets_.event(at(p_.slices.start[slice]), event);
      pile.open.push_back(p_.end_of(slice));
    }
    for (Pile& pile : piles) close_until(pile, std::numeric_limits<Time>::max());
  }

  // The value that held when the range began comes first.
  void write_counter(const Counter& counter) {
    for (const CounterSeries& series : counter.series) {
      ProtoWriter track, unit;
      const std::uint64_t uuid = new_track();
      track.integer(kUuid, uuid);
      track.bytes(kTrackName, to_utf8(counter.series.size() == 1 ? counter.title : say("{} {}", counter.title, series.title)));
      if (counter.process != kNoRow) track.integer(kParent, process_tracks_[counter.process]);
      if (counter.unit == Unit::bytes) unit.integer(kUnit, 3);
      if (counter.unit == Unit::percent || counter.unit == Unit::bytes_per_second) unit.bytes(kUnitName, unit_name(counter.unit));
      track.message(kCounter, unit);
      packets_.descriptor(track);
      auto next = static_cast<std::size_t>(std::upper_bound(series.time.begin(), series.time.end(), request_.range.start) -
                                           series.time.begin());
      if (next > 0) --next;
      for (; next < series.time.size() && series.time[next] < request_.range.end && !packets_.stopped(); ++next) {
        const Time time = std::max(series.time[next], request_.range.start);
        if (std::isnan(series.value[next])) continue;
        ProtoWriter event;
        event.integer(kType, kCounterValue);
        event.integer(kTrack, uuid);
        event.real(kDoubleValue, series.value[next]);
        packets_.event(at(time), event);
      }
    }
  }

  const Timeline& timeline_;
  const Profile& p_;
  const std::vector<Counter>& counters_;
  const ExportRequest& request_;
  TracePackets packets_;
  SliceArgs args_;
  Time first_ = 0;
  FlowEnds flows_from_, flows_to_, pairs_;  // pairs_: those of a forward and a backward operator, by the first
  std::uint64_t tracks_ = 0;
  std::vector<std::uint64_t> process_tracks_;  // by process
  std::vector<std::uint64_t> pids_;            // by process; 0: none of the system
  std::set<std::uint64_t> taken_pids_, taken_tids_;
};

}  // namespace

void export_perfetto(const Timeline& timeline, const std::vector<Counter>& counters, const ExportRequest& request,
                     const std::function<bool(std::string_view)>& write) {
  PerfettoExporter(timeline, counters, request, write).run();
}

}  // namespace sightline::output
