// Pairing records: what starts and ends is matched first in, first out, by engine and program counter, or by DMA engine and
// queue.
#include "readers/neuron/notifications.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace sightline::neuron {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr unsigned kThrottleType = 0x1e;
constexpr unsigned kBusSemaphoreType = 0x1b;
constexpr unsigned kReadStart = 1, kWriteEnd = 5;
constexpr std::uint32_t kLost = 0x60000000;  // bits of a record that follows some that were not written

// Things of one kind that went wrong: how often, and where first.
struct Tally {
  std::int64_t count = 0, first = 0;
  void add(std::int64_t at) { first = count++ == 0 ? at : std::min(first, at); }
};

class Reading {
 public:
  Reading(ByteStream& in, const NtffHeader& header, const Graph& graph) : in_(in), header_(header), graph_(graph) {}

  Notifications run(Profile& profile) {
    std::vector<Trace> traces = graph_.traces;
    std::stable_sort(traces.begin(), traces.end(), [](const Trace& a, const Trace& b) { return a.offset < b.offset; });
    for (const Trace& trace : traces) read(trace);
    close_instructions();
    close_packets();
    report(profile);
    return std::move(rows_);
  }

 private:
  // ---- the records of a trace ----

  void read(const Trace& trace) {
    using enum TraceKind;
    if (trace.size == 0) return;
    const auto kind = static_cast<TraceKind>(trace.kind);
    const auto block = static_cast<Block>(trace.block);
    const bool of_core = block == Block::core && (kind == instruction || kind == event || kind == error || kind == throttle);
    const std::int64_t begin = header_.records + static_cast<std::int64_t>(std::min<std::uint64_t>(trace.offset, kFar));
    if (!(of_core || (block == Block::dma && kind == dma)) || trace.physical_core != 0) return foreign_.add(begin);
    if (begin < in_.position()) return overlapping_.add(begin);
    in_.skip(begin - in_.position());
    if (trace.size % kRecordBytes != 0) uneven_.add(begin);
    char bytes[kRecordBytes];
    for (std::uint64_t left = trace.size / kRecordBytes; left > 0; --left) {
      at_ = in_.position();
      if (in_.take(bytes, kRecordBytes) < kRecordBytes) return cut_.add(at_);
      const Record record = record_of(bytes);
      ++rows_.records;
      if ((record.first & kLost) != 0) lost_.add(at_);
      switch (kind) {
        case instruction: take_instruction(record); break;
        case event: take_event(record); break;
        case dma: take_packet(record); break;
        case throttle: take_throttle(record); break;
        default: errors_.add(at_); break;
      }
    }
  }

  // ps by a clock; kUnknown, and counted, when there is no such clock or the time is absurd.
  std::int64_t time_of(const Clock& clock, const Record& record) {
    const std::int64_t time = clock.known() ? clock.picoseconds(record.ticks) : kUnknown;
    if (time == kUnknown) untimed_.add(at_);
    return time;
  }

  // ---- instructions ----

  struct Started {
    std::int64_t time, source;
    std::uint16_t wait_cycles;
  };

  void take_instruction(const Record& record) {
    const auto [engine, what] = engine_record(record.type());
    if (engine < 0 || what > 1) return unknown_.add(at_);
    const std::int64_t time = time_of(graph_.engine_clock[static_cast<std::size_t>(engine)], record);
    if (time == kUnknown) return;
    const std::uint64_t key = static_cast<std::uint64_t>(engine) << 32 | record.pc();
    if (what == 0) {
      started_[key].push_back({time, at_, static_cast<std::uint16_t>(record.second >> 16)});
      return;
    }
    const auto open = started_.find(key);
    if (open == started_.end()) return unmatched_.add(at_);
    add_instruction(engine, record.pc(), open->second.front(), time, record.second, false);
    open->second.erase(open->second.begin());
    if (open->second.empty()) started_.erase(open);
  }

  void add_instruction(int engine, std::uint32_t pc, const Started& from, std::int64_t end, std::uint32_t crcs, bool unfinished) {
    if (end < from.time) backwards_.add(from.source);
    rows_.instructions[static_cast<std::size_t>(engine)].push_back({.start = from.time,
                                                                    .duration = std::max<std::int64_t>(0, end - from.time),
                                                                    .source = from.source,
                                                                    .slot = slot_of(graph_, static_cast<Engine>(engine), pc),
                                                                    .pc = pc,
                                                                    .wait_cycles = from.wait_cycles,
                                                                    .crc_in = static_cast<std::uint16_t>(crcs & 0xffff),
                                                                    .crc_out = static_cast<std::uint16_t>(crcs >> 16),
                                                                    .unfinished = unfinished});
  }

  void close_instructions() {
    std::map<std::int64_t, std::pair<std::uint64_t, Started>> left;  // by place in the file
    for (const auto& [key, open] : started_) {
      for (const Started& from : open) left.emplace(from.source, std::pair(key, from));
    }
    for (const auto& [source, entry] : left) {
      const auto& [key, from] = entry;
      add_instruction(static_cast<int>(key >> 32), static_cast<std::uint32_t>(key), from, from.time, 0, true);
    }
  }

  // ---- the others ----

  void take_event(const Record& record) {
    const bool known = record.type() == kBusSemaphoreType || engine_record(record.type()).what == 3;
    if (!known) return unknown_.add(at_);
    const std::int64_t time = time_of(graph_.event_clock, record);
    if (time == kUnknown) return;
    rows_.semaphores.push_back({.time = time,
                                .value = record.second,
                                .id = static_cast<std::uint8_t>(record.first & 0xff),
                                .engine = static_cast<std::int8_t>(engine_record(record.type()).engine),
                                .event = (record.first >> 8 & 1) == 0});
  }

  void take_packet(const Record& record) {
    const unsigned step = record.second & 15;
    if (step != kReadStart && step != kWriteEnd) return;  // the steps between, and the completion, which adds nothing
    const auto engine = static_cast<std::uint8_t>(record.type());
    const auto queue = static_cast<std::uint8_t>(record.second >> 4 & 15);
    const std::int64_t time = time_of(engine < graph_.dma_clock.size() ? graph_.dma_clock[engine] : Clock{}, record);
    if (time == kUnknown) return;
    std::deque<Started>& open = packets_[engine << 4 | queue];
    const PacketRow packet{.start = time,
                           .duration = 0,
                           .source = at_,
                           .bytes = record.first & 0xffffff,
                           .crc = static_cast<std::uint16_t>(record.second >> 16),
                           .engine = engine,
                           .queue = queue};
    if (step == kReadStart) {
      open.push_back({time, at_, 0});
    } else if (open.empty()) {
      unmatched_.add(at_);
    } else {
      if (time < open.front().time) backwards_.add(open.front().source);
      rows_.packets.push_back(packet);
      rows_.packets.back().start = open.front().time;
      rows_.packets.back().duration = std::max<std::int64_t>(0, time - open.front().time);
      rows_.packets.back().source = open.front().source;
      open.pop_front();
    }
  }

  // Packets that were begun when the recording ended say nothing of their size: they are counted only.
  void close_packets() {
    for (const auto& [key, open] : packets_) {
      for (const Started& from : open) unfinished_.add(from.source);
    }
  }

  void take_throttle(const Record& record) {
    if (record.type() != kThrottleType) return unknown_.add(at_);
    const std::int64_t time = time_of(graph_.throttle_clock, record);
    if (time == kUnknown) return;
    const auto of = static_cast<std::uint8_t>(record.first >> 16 & 0xff);
    rows_.throttle.push_back({.time = time,
                              .source = at_,
                              .limit = of == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(record.second & 0x7f),
                              .of = of});
  }

  void report(Profile& profile) const {
    const auto say = [&](const Tally& tally, Severity severity, std::string_view code, std::string_view message) {
      if (tally.count != 0) profile.add_problem(severity, code, message, tally.count, tally.first);
    };
    say(cut_, Severity::error, "truncated", "the file ends inside the records: what came after is missing");
    say(errors_, Severity::error, "device_errors",
        "the device reported errors during the run; what their codes mean is not public, so they are only counted");
    say(lost_, Severity::warning, "overflow",
        "records marked as following others that the device had no room to write: some of what happened may be missing");
    say(unfinished_, Severity::warning, "unfinished_packet",
        "DMA packets that had not ended when the recording did were left out");
    say(unmatched_, Severity::warning, "unmatched_end", "an end without a beginning was left out");
    say(backwards_, Severity::warning, "negative_duration", "an end lies before its beginning: the length is taken as 0");
    say(untimed_, Severity::warning, "missing_time", "records of a unit without a usable clock were left out");
    say(unknown_, Severity::warning, "unknown_record", "records of a type that is not public were left out");
    say(overlapping_, Severity::warning, "overlapping_records", "records that lie over those of another unit were left out");
    say(uneven_, Severity::warning, "uneven_records", "bytes behind the last whole record of a unit were left out");
    say(foreign_, Severity::warning, "undecoded_unit",
        "records of a unit whose layout is not public (collectives, a second physical core) were left out");
  }

  static constexpr std::uint64_t kFar = std::uint64_t{1} << 60;

  ByteStream& in_;
  const NtffHeader& header_;
  const Graph& graph_;
  Notifications rows_;
  std::int64_t at_ = 0;                                              // of the present record
  std::unordered_map<std::uint64_t, std::vector<Started>> started_;  // not ended, by engine and program counter
  std::map<unsigned, std::deque<Started>> packets_;                  // not ended, by DMA engine and queue
  Tally cut_, errors_, lost_, unfinished_, unmatched_, backwards_, untimed_, unknown_, overlapping_, uneven_, foreign_;
};

}  // namespace

Notifications read_notifications(ByteStream& in, const NtffHeader& header, const Graph& graph, Profile& profile) {
  return Reading(in, header, graph).run(profile);
}

Record record_of(const char* bytes) {
  Record record;
  std::memcpy(&record.first, bytes, 4);
  std::memcpy(&record.second, bytes + 4, 4);
  std::memcpy(&record.ticks, bytes + 8, 8);
  return record;
}

std::uint32_t slot_of(const Graph& graph, Engine engine, std::uint32_t pc) {
  std::uint32_t before = 0;
  for (const Code& code : graph.code) {
    if (code.engine != static_cast<std::uint64_t>(engine)) continue;
    const auto slots = static_cast<std::uint32_t>(code.slots.size() / kSlotBytes);
    const auto first = static_cast<std::uint32_t>(code.address / kSlotBytes & 0xfffff);
    if (pc >= first && pc - first < slots) return before + (pc - first);
    before += slots;
  }
  return kNoSlot;
}

std::string_view slot_bytes(const Graph& graph, Engine engine, std::uint32_t slot) {
  if (slot == kNoSlot) return {};
  for (const Code& code : graph.code) {
    if (code.engine != static_cast<std::uint64_t>(engine)) continue;
    const auto slots = static_cast<std::uint32_t>(code.slots.size() / kSlotBytes);
    if (slot < slots) return std::string_view(code.slots).substr(slot * kSlotBytes, kSlotBytes);
    slot -= slots;
  }
  return {};
}

}  // namespace sightline::neuron
