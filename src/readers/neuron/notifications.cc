// Pairing records: what starts and ends is matched first in, first out, by engine and program counter, or by DMA engine and
// queue.
#include "readers/neuron/notifications.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>

#include "readers/neuron/clock_reader.h"
#include "readers/neuron/open_starts.h"

namespace sightline::neuron {

namespace {

constexpr unsigned kThrottleType = 0x1e;
constexpr unsigned kBusSemaphoreType = 0x1b;
constexpr unsigned kReadStart = 1, kWriteEnd = 5;
constexpr std::uint32_t kLost = 0x60000000;  // bits of a record that follows some that were not written

constexpr std::size_t kBlockRecords = 4096;  // read at once
constexpr unsigned kPcBits = 20;             // of a program counter in a record
constexpr std::size_t kDmaEngines = 32;      // that a record can name

// A piece of an engine's code: program counters from `first` on, as slots from `before` on.
struct CodePiece {
  std::uint32_t first, slots, before;
};

std::vector<CodePiece> code_pieces(const Graph& graph, Engine engine) {
  std::vector<CodePiece> pieces;
  std::uint32_t before = 0;
  for (const Code& code : graph.code) {
    if (code.engine != static_cast<std::uint64_t>(engine)) continue;
    const auto slots = static_cast<std::uint32_t>(code.slots.size() / kSlotBytes);
    pieces.push_back({static_cast<std::uint32_t>(code.address / kSlotBytes & 0xfffff), slots, before});
    before += slots;
  }
  return pieces;
}

std::uint32_t slot_in(const std::vector<CodePiece>& pieces, std::uint32_t pc) {
  for (const CodePiece& piece : pieces) {
    if (pc >= piece.first && pc - piece.first < piece.slots) return piece.before + (pc - piece.first);
  }
  return kNoSlot;
}

// Things of one kind that went wrong: how often, and where first.
struct Tally {
  std::int64_t count = 0, first = 0;
  void add(std::int64_t at) { first = count++ == 0 ? at : std::min(first, at); }
};

class Reading {
 public:
  Reading(ByteStream& in, const NtffHeader& header, const Graph& graph)
      : in_(in), header_(header), graph_(graph), event_clock_(graph.event_clock), throttle_clock_(graph.throttle_clock) {
    for (std::size_t engine = 0; engine < kEngines; ++engine) {
      engine_clock_[engine] = ClockReader(graph.engine_clock[engine]);
      pieces_[engine] = code_pieces(graph, static_cast<Engine>(engine));
    }
    for (std::size_t engine = 0; engine < kDmaEngines; ++engine)
      dma_clock_[engine] = ClockReader(engine < graph.dma_clock.size() ? graph.dma_clock[engine] : Clock{});
  }

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
    std::vector<char> bytes(kBlockRecords * kRecordBytes);
    for (std::uint64_t left = trace.size / kRecordBytes; left > 0;) {
      const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBlockRecords)) * kRecordBytes;
      at_ = in_.position();
      const std::size_t got = in_.take(bytes.data(), wanted);
      take_records(kind, bytes.data(), got / kRecordBytes);
      left -= got / kRecordBytes;
      if (got < wanted) return cut_.add(at_);
    }
  }

  void take_records(TraceKind kind, const char* bytes, std::size_t count) {
    using enum TraceKind;
    switch (kind) {
      case instruction: return take_each(kind, bytes, count, [this](const Record& record) { take_instruction(record); });
      case event: return take_each(kind, bytes, count, [this](const Record& record) { take_event(record); });
      case dma: return take_each(kind, bytes, count, [this](const Record& record) { take_packet(record); });
      case throttle: return take_each(kind, bytes, count, [this](const Record& record) { take_throttle(record); });
      default: return take_each(kind, bytes, count, [this](const Record&) { errors_.add(at_); });
    }
  }

  template <typename Take>
  void take_each(TraceKind kind, const char* bytes, std::size_t count, const Take& take) {
    for (std::size_t i = 0; i < count; ++i) {
      const Record record = record_of(bytes + i * kRecordBytes);
      if ((record.first & kLost) != 0) [[unlikely]]
        add_lost(kind, record);
      take(record);
      at_ += kRecordBytes;
    }
    rows_.records += static_cast<std::int64_t>(count);
  }

  void add_lost(TraceKind kind, const Record& record) {
    const auto engine = static_cast<std::size_t>(std::max(0, engine_record(record.type()).engine));
    ClockReader& clock = kind == TraceKind::event      ? event_clock_
                         : kind == TraceKind::throttle ? throttle_clock_
                         : kind == TraceKind::dma      ? dma_clock_[record.type()]
                                                       : engine_clock_[engine];
    rows_.lost.push_back({clock.picoseconds(record.ticks), at_, kind});
  }

  // ps by a clock; kUnknown, and counted, when there is no such clock or the time is absurd.
  std::int64_t time_of(ClockReader& clock, const Record& record) {
    const std::int64_t time = clock.picoseconds(record.ticks);
    if (time == kUnknown) [[unlikely]]
      untimed_.add(at_);
    return time;
  }

  // ---- instructions ----

  void take_instruction(const Record& record) {
    const auto [engine, what] = engine_record(record.type());
    if (engine < 0 || what > 1) [[unlikely]]
      return unknown_.add(at_);
    const std::int64_t time = time_of(engine_clock_[static_cast<std::size_t>(engine)], record);
    if (time == kUnknown) [[unlikely]]
      return;
    const std::size_t key = static_cast<std::size_t>(engine) << kPcBits | record.pc();
    if (what == 0) return started_.push(key, {time, at_, static_cast<std::uint16_t>(record.second >> 16)});
    if (started_.empty(key)) [[unlikely]]
      return unmatched_.add(at_);
    add_instruction(engine, record.pc(), started_.pop(key), time, record.second, false);
  }

  void add_instruction(int engine, std::uint32_t pc, const Start& from, std::int64_t end, std::uint32_t crcs, bool unfinished) {
    if (end < from.time) backwards_.add(from.source);
    rows_.instructions[static_cast<std::size_t>(engine)].push_back(
        {.start = from.time,
         .duration = std::max<std::int64_t>(0, end - from.time),
         .source = from.source,
         .slot = slot_in(pieces_[static_cast<std::size_t>(engine)], pc),
         .pc = pc,
         .wait_cycles = from.wait_cycles,
         .crc_in = static_cast<std::uint16_t>(crcs & 0xffff),
         .crc_out = static_cast<std::uint16_t>(crcs >> 16),
         .unfinished = unfinished});
  }

  void close_instructions() {
    std::map<std::int64_t, std::pair<std::size_t, Start>> left;  // by place in the file
    started_.for_each([&](std::size_t key, const Start& from) { left.emplace(from.source, std::pair(key, from)); });
    for (const auto& [source, entry] : left) {
      const auto& [key, from] = entry;
      const auto pc = static_cast<std::uint32_t>(key & ((std::size_t{1} << kPcBits) - 1));
      add_instruction(static_cast<int>(key >> kPcBits), pc, from, from.time, 0, true);
    }
  }

  // ---- the others ----

  void take_event(const Record& record) {
    const bool known = record.type() == kBusSemaphoreType || engine_record(record.type()).what == 3;
    if (!known) return unknown_.add(at_);
    const std::int64_t time = time_of(event_clock_, record);
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
    const std::int64_t time = time_of(dma_clock_[engine], record);
    if (time == kUnknown) return;
    const std::size_t key = std::size_t{engine} << 4 | queue;
    if (step == kReadStart) return packets_.push(key, {time, at_, 0});
    if (packets_.empty(key)) return unmatched_.add(at_);
    const Start from = packets_.pop(key);
    if (time < from.time) backwards_.add(from.source);
    rows_.packets.push_back({.start = from.time,
                             .duration = std::max<std::int64_t>(0, time - from.time),
                             .source = from.source,
                             .bytes = record.first & 0xffffff,
                             .crc = static_cast<std::uint16_t>(record.second >> 16),
                             .engine = engine,
                             .queue = queue});
  }

  // Packets that were begun when the recording ended say nothing of their size: they are counted only.
  void close_packets() {
    packets_.for_each([&](std::size_t, const Start& from) { unfinished_.add(from.source); });
  }

  void take_throttle(const Record& record) {
    if (record.type() != kThrottleType) return unknown_.add(at_);
    const std::int64_t time = time_of(throttle_clock_, record);
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
  std::int64_t at_ = 0;  // of the present record
  std::array<ClockReader, kEngines> engine_clock_;
  std::array<ClockReader, kDmaEngines> dma_clock_;
  ClockReader event_clock_, throttle_clock_;
  std::array<std::vector<CodePiece>, kEngines> pieces_;
  OpenStarts started_{kEngines << kPcBits};  // by engine and program counter
  OpenStarts packets_{kDmaEngines << 4};     // by DMA engine and queue
  Tally cut_, errors_, unfinished_, unmatched_, backwards_, untimed_, unknown_, overlapping_, uneven_, foreign_;
};

}  // namespace

Notifications read_notifications(ByteStream& in, const NtffHeader& header, const Graph& graph, Profile& profile) {
  return Reading(in, header, graph).run(profile);
}

std::uint32_t slot_of(const Graph& graph, Engine engine, std::uint32_t pc) { return slot_in(code_pieces(graph, engine), pc); }

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
