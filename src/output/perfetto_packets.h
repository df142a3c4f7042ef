// Packets of a Perfetto trace: numbers of fields, names that are written once, and what goes out in pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/proto_writer.h"

namespace sightline::output::perfetto {

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
  kRank = 12
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

}  // namespace sightline::output::perfetto
