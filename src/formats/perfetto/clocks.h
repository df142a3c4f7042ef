// Clocks: times of packets, which may be on any of several clocks, as ns of the trace's clock. Snapshots say what several clocks
// showed at one moment; a time is converted by the last snapshot before it in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "formats/binary/proto_message.h"
#include "model/tables.h"

namespace sightline::formats::perfetto {

class Clocks {
 public:
  // A ClockSnapshot that a packet of this sequence holds.
  void read_snapshot(ProtoSpan snapshot, std::uint64_t sequence);

  // Nullopt: no snapshot relates the clock to the trace's clock, or the result is out of range. 0 is the trace's clock.
  std::optional<Time> trace_time(std::uint64_t clock, std::uint64_t time, std::uint64_t sequence);

  // What is added to a time of the trace's clock to get Unix time; kUnknown if no snapshot says it.
  std::int64_t to_unix() const { return to_unix_; }

 private:
  struct Reading {
    std::uint64_t clock = 0, time = 0, multiplier = 1;
    bool incremental = false;
  };
  struct State {
    std::int64_t time = 0, trace_time = 0;  // of the clock, in its unit, and the trace's clock at that moment
    std::int64_t multiplier = 1, last = 0;
    bool incremental = false;
  };

  // Clocks from 64 to 127 belong to a sequence.
  static std::uint64_t key(std::uint64_t clock, std::uint64_t sequence) {
    return clock >= 64 && clock < 128 ? sequence << 8 | clock : clock;
  }

  std::unordered_map<std::uint64_t, State> states_;
  std::uint64_t primary_ = 0;  // 0: no snapshot yet
  std::uint64_t adopted_ = 0;  // the clock of all times, in a trace without snapshots
  std::int64_t to_unix_ = kUnknown;
};

}  // namespace sightline::formats::perfetto
