// Decodes records block by block, pairs starts with ends, and reports damage.
#include "formats/neuron/notifications.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "base/parallel.h"
#include "base/sort.h"
#include "formats/neuron/record_decoding.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

// ---- rows by lane ----

void NotificationRows::take(std::span<const InstructionRow> rows) {
  for (const InstructionRow& row : rows) instructions[static_cast<std::size_t>(row.engine)].push_back(row);
}

void NotificationRows::take(std::span<const PacketRow> rows) {
  for (const PacketRow& row : rows) packets[std::size_t{row.queue} * kDmaEngines + row.engine].push_back(row);
}

void NotificationRows::take(std::span<const SemaphoreRow> rows) {
  for (const SemaphoreRow& row : rows) semaphores[(row.event ? kSemaphores : 0) + row.id].push_back(row);
}

// ---- damage ----
// What is wrong with the records of a recording, grouped by what was done about it.

namespace {

// Faults of one kind: how many, and where the first is.
struct Tally {
  std::int64_t count = 0, first = 0;
  void add(std::int64_t at) { first = count++ == 0 ? at : std::min(first, at); }
  void add(const Tally& other);
};

struct Damage {
  Tally cut, errors, unfinished, unmatched, backwards, untimed, unknown, overlapping, uneven, foreign;
  void add(const Damage& other);
  // Each kind that occurred becomes a row of problems.
  void report(Profile& profile) const;
};

struct Kind {
  Tally Damage::*tally;
  Severity severity;
  std::string_view code;
  const char* message;
};

constexpr std::array<Kind, 10> kKinds{{
    {&Damage::cut, Severity::error, "truncated", "the file ends inside the records: the rest is missing"},
    {&Damage::errors, Severity::error, "device_errors",
     "the device reported errors during the run; their codes are not documented, so they are only counted: Sightline reads their "
     "names from the tables of the vendor's tool (view --output-format parquet)"},
    {&Damage::unfinished, Severity::warning, "unfinished_packet",
     "DMA packets that were still running at the end of the recording were left out"},
    {&Damage::unmatched, Severity::warning, "unmatched_end", "an end without a beginning was left out"},
    {&Damage::backwards, Severity::warning, "negative_duration", "an end is before its beginning: the length is taken as 0"},
    {&Damage::untimed, Severity::warning, "missing_time", "records of a unit without a usable clock were left out"},
    {&Damage::unknown, Severity::warning, "unknown_record",
     "records of undocumented types were left out: Sightline reads them from the output of the vendor's tool (view "
     "--output-format json, or parquet)"},
    {&Damage::overlapping, Severity::warning, "overlapping_records", "records that overlap those of another unit were left out"},
    {&Damage::uneven, Severity::warning, "uneven_records", "bytes after the last whole record of a unit were left out"},
    {&Damage::foreign, Severity::warning, "undecoded_unit",
     "records of a unit without a public layout (collectives, a second physical core) were left out: Sightline reads them from "
     "the tables of the vendor's tool (view --output-format parquet)"},
}};

}  // namespace

void Tally::add(const Tally& other) {
  if (other.count == 0) return;
  first = count == 0 ? other.first : std::min(first, other.first);
  count += other.count;
}

void Damage::add(const Damage& other) {
  for (const Kind& kind : kKinds) (this->*kind.tally).add(other.*kind.tally);
}

void Damage::report(Profile& profile) const {
  for (const Kind& kind : kKinds) {
    const Tally& tally = this->*kind.tally;
    if (tally.count != 0) profile.add_problem(kind.severity, kind.code, kind.message, tally.count, tally.first);
  }
}

// ---- records ----
// Pairs records: starts and ends are matched first in, first out, by engine and program counter, or by DMA engine and queue.
//
// Each block is processed in several passes, each of which does one thing with each record. The kind of a record is hard to
// predict from the ones before it; branching on it would cost more than the work. First the block's records are listed by
// kind, then all starts are opened, then all ends are matched. So an end may find a start that is later in the block: then
// nothing was open when it came, and the end is unmatched.

namespace {

constexpr unsigned kThrottleType = 0x1e;
constexpr unsigned kBusSemaphoreType = 0x1b;
constexpr unsigned kReadStart = 1, kWriteEnd = 5;
constexpr std::uint32_t kLost = 0x60000000;  // bits of a record that follows others which were not written

constexpr unsigned kPcBits = 20;         // of a program counter in a record
constexpr std::size_t kDmaEngines = 32;  // that a record can name

// The places of an engine's instructions: pieces of code, whose slots are numbered one piece after the other.
class CodePieces {
 public:
  CodePieces() = default;
  CodePieces(const Graph& graph, Engine engine) {
    std::uint32_t before = 0;
    for (const Code& code : graph.code) {
      if (code.engine != static_cast<std::uint64_t>(engine)) continue;
      const auto slots = static_cast<std::uint32_t>(code.slots.size() / kSlotBytes);
      const Piece piece{static_cast<std::uint32_t>(code.address / kSlotBytes & 0xfffff), slots, before};
      if (before == 0) {
        first_ = piece;
      } else {
        others_.push_back(piece);
      }
      before += slots;
    }
  }

  // The slot of a program counter, or kNoSlot.
  std::uint32_t slot(std::uint32_t pc) const {
    if (pc - first_.pc < first_.slots) [[likely]]
      return pc - first_.pc;
    for (const Piece& piece : others_) {
      if (pc - piece.pc < piece.slots) return piece.before + (pc - piece.pc);
    }
    return kNoSlot;
  }

 private:
  struct Piece {
    std::uint32_t pc, slots, before;  // program counter and number of its first slot; how many there are
  };
  Piece first_{};  // usually the only one
  std::vector<Piece> others_;
};

// By the type of a record of instructions.
constexpr std::array<Part, 32> kPartOfInstruction = [] {
  std::array<Part, 32> parts{};
  for (unsigned type = 0; type < parts.size(); ++type) {
    const int what = engine_record(type).what;
    parts[type] = what == 0 ? Part::starts : what == 1 ? Part::ends : Part::neither;
  }
  return parts;
}();

// The step of a packet that a record reports. The steps between, and the completion, add nothing.
constexpr std::array<Part, 16> kPartOfPacket = [] {
  std::array<Part, 16> parts{};
  parts.fill(Part::neither);
  parts[kReadStart] = Part::starts;
  parts[kWriteEnd] = Part::ends;
  return parts;
}();

// Consecutive records of one kind in the file.
struct Unit {
  TraceKind kind;
  std::int64_t begin;     // position of the first
  std::uint64_t records;  // according to the header
};

constexpr std::int64_t kNotificationFar = std::int64_t{1} << 60;  // no file is longer; sums with it do not overflow

// The traces of a graph that can be decoded, in the order of the file.
std::vector<Unit> units_of(const NtffHeader& header, const Graph& graph, Damage& damage) {
  using enum TraceKind;
  std::vector<Trace> traces = graph.traces;
  sort_up(traces, &Trace::offset);
  std::vector<Unit> units;
  std::int64_t free = header.records;  // position after all units so far
  for (const Trace& trace : traces) {
    if (trace.size == 0) continue;
    const auto kind = static_cast<TraceKind>(trace.kind);
    const auto block = static_cast<Block>(trace.block);
    const bool of_core = block == Block::core && (kind == instruction || kind == event || kind == error || kind == throttle);
    const std::int64_t begin =
        header.records +
        std::min(static_cast<std::int64_t>(std::min<std::uint64_t>(trace.offset, kNotificationFar)), kNotificationFar);
    if (!(of_core || (block == Block::dma && kind == dma)) || trace.physical_core != 0) {
      damage.foreign.add(begin);
    } else if (begin < free) {
      damage.overlapping.add(begin);
    } else {
      if (trace.size % kRecordBytes != 0) damage.uneven.add(begin);
      units.push_back({kind, begin, trace.size / kRecordBytes});
      free =
          begin + static_cast<std::int64_t>(std::min<std::uint64_t>(trace.size / kRecordBytes * kRecordBytes, kNotificationFar));
    }
  }
  return units;
}

// Decodes units, on one thread.
class Reading {
 public:
  Reading(ByteStream& in, const Graph& graph, RowTaker& taker)
      : in_(in), taker_(taker), event_clock_(graph.event_clock), throttle_clock_(graph.throttle_clock) {
    for (std::size_t engine = 0; engine < kEngines; ++engine) {
      engine_clock_[engine] = ClockReader(graph.engine_clock[engine]);
      pieces_[engine] = CodePieces(graph, static_cast<Engine>(engine));
    }
    for (std::size_t engine = 0; engine < kDmaEngines; ++engine)
      dma_clock_[engine] = ClockReader(engine < graph.dma_clock.size() ? graph.dma_clock[engine] : Clock{});
  }

  void run(std::span<const Unit> units) {
    for (const Unit& unit : units) read(unit);
    close_instructions();
    close_packets();
  }

  std::int64_t records() const { return records_; }
  const Damage& damage() const { return damage_; }
  const std::vector<LostMark>& lost() const { return lost_; }

 private:
  // ---- the records of a trace ----

  void read(const Unit& unit) {
    in_.skip(unit.begin - in_.position());
    for (std::uint64_t left = unit.records; left > 0;) {
      const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBlockRecords)) * kRecordBytes;
      const std::int64_t position = in_.position();
      const std::string_view bytes = in_.take_in_place(wanted);
      const RecordBlock block{bytes.data(), bytes.size() / kRecordBytes, position};
      take_block(unit.kind, block);
      left -= block.count;
      if (block.count * kRecordBytes < wanted) return damage_.cut.add(block.at(block.count));
    }
  }

  void take_block(TraceKind kind, const RecordBlock& block) {
    using enum TraceKind;
    records_ += static_cast<std::int64_t>(block.count);
    switch (kind) {
      case instruction: return take_instructions(block);
      case event: return take_events(block);
      case dma: return take_packets(block);
      case throttle: return take_throttle(block);
      default: return take_errors(block);
    }
  }

  // `bits`: all bits that any of the records has.
  void note_lost(TraceKind kind, const RecordBlock& block, std::uint32_t bits) {
    if ((bits & kLost) == 0) return;
    for (std::size_t i = 0; i < block.count; ++i) {
      const Record record = block[i];
      if ((record.first & kLost) != 0) lost_.push_back({clock_of(kind, record).picoseconds(record.ticks), block.at(i), kind});
    }
  }

  const ClockReader& clock_of(TraceKind kind, const Record& record) const {
    switch (kind) {
      case TraceKind::event: return event_clock_;
      case TraceKind::throttle: return throttle_clock_;
      case TraceKind::dma: return dma_clock_[record.type()];
      default: return engine_clock_[static_cast<std::size_t>(std::max(0, engine_record(record.type()).engine))];
    }
  }

  // Calls take(time in ps) with a clock's time; counts instead if there is no such clock or the time is absurd.
  template <typename Take>
  void with_time(const ClockReader& clock, const Record& record, std::int64_t at, const Take& take) {
    if (clock.is_near(record.ticks)) [[likely]]
      return take(clock.near_picoseconds(record.ticks));
    const std::int64_t time = clock.picoseconds(record.ticks);
    if (time == kUnknown) return damage_.untimed.add(at);
    take(time);
  }

  // Whether something is open that an end at `at` belongs to; counted if not.
  bool is_open(const OpenStarts& open, std::size_t key, std::int64_t at) {
    if (open.any_before(key, at)) [[likely]]
      return true;
    damage_.unmatched.add(at);
    return false;
  }

  // ---- instructions ----

  void take_instructions(const RecordBlock& block) {
    const auto part_of = [](const Record& record) { return kPartOfInstruction[record.type()]; };
    note_lost(TraceKind::instruction, block, lists_.list(block, part_of));
    for (const std::size_t i : lists_.starts()) open_instruction(block[i], block.at(i));
    for (const std::size_t i : lists_.ends()) end_instruction(block[i], block.at(i));
    if (lists_.starts().size() + lists_.ends().size() != block.count) {
      for (std::size_t i = 0; i < block.count; ++i) {
        if (part_of(block[i]) == Part::neither) damage_.unknown.add(block.at(i));
      }
    }
    taker_.take(instructions_.all());
  }

  static std::size_t engine_of(const Record& record) { return record.type() / 4 - 1; }
  static std::size_t key_of(const Record& record) { return engine_of(record) << kPcBits | record.pc(); }

  void open_instruction(const Record& record, std::int64_t at) {
    with_time(engine_clock_[engine_of(record)], record, at, [&](std::int64_t time) {
      started_.push(key_of(record), {time, at, static_cast<std::uint16_t>(record.second >> 16)});
    });
  }

  void end_instruction(const Record& record, std::int64_t at) {
    with_time(engine_clock_[engine_of(record)], record, at, [&](std::int64_t time) {
      const std::size_t key = key_of(record);
      if (!is_open(started_, key, at)) return;
      const Start& from = started_.front(key);
      add_instruction(key, from, length(from, time), record.second);
      started_.pop(key);
    });
  }

  void add_instruction(std::size_t key, const Start& from, std::int64_t duration, std::uint32_t crcs) {
    const std::size_t engine = key >> kPcBits;
    const auto pc = static_cast<std::uint32_t>(key & ((std::size_t{1} << kPcBits) - 1));
    instructions_.add({.start = from.time,
                       .duration = duration,
                       .source = from.source,
                       .slot = pieces_[engine].slot(pc),
                       .crcs = crcs,
                       .wait_cycles = from.wait_cycles,
                       .engine = static_cast<Engine>(engine)});
  }

  // An end before its beginning is counted, and gives no length.
  std::int64_t length(const Start& from, std::int64_t end) {
    if (end >= from.time) [[likely]]
      return end - from.time;
    damage_.backwards.add(from.source);
    return 0;
  }

  void close_instructions() {
    std::vector<std::pair<std::size_t, Start>> left;
    started_.for_each([&](std::size_t key, const Start& from) { left.emplace_back(key, from); });
    std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.second.source < b.second.source; });
    for (const auto& [key, from] : left) {
      add_instruction(key, from, kUnknown, 0);
      taker_.take(instructions_.all());
    }
  }

  // ---- the others ----

  void take_events(const RecordBlock& block) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < block.count; ++i) {
      const Record record = block[i];
      bits |= record.first;
      const EngineRecord of = engine_record(record.type());
      if (record.type() != kBusSemaphoreType && of.what != 3) [[unlikely]] {
        damage_.unknown.add(block.at(i));
        continue;
      }
      with_time(event_clock_, record, block.at(i), [&](std::int64_t time) {
        semaphores_.add({.time = time,
                         .value = record.second,
                         .id = static_cast<std::uint8_t>(record.first & 0xff),
                         .engine = static_cast<std::int8_t>(of.engine),
                         .event = (record.first >> 8 & 1) == 0});
      });
    }
    note_lost(TraceKind::event, block, bits);
    taker_.take(semaphores_.all());
  }

  void take_packets(const RecordBlock& block) {
    const auto part_of = [](const Record& record) { return kPartOfPacket[record.second & 15]; };
    note_lost(TraceKind::dma, block, lists_.list(block, part_of));
    for (const std::size_t i : lists_.starts()) open_packet(block[i], block.at(i));
    for (const std::size_t i : lists_.ends()) end_packet(block[i], block.at(i));
    taker_.take(packets_.all());
  }

  static std::size_t queue_of(const Record& record) { return record.second >> 4 & 15; }
  static std::size_t packet_key(const Record& record) { return record.type() << 4 | queue_of(record); }

  void open_packet(const Record& record, std::int64_t at) {
    with_time(dma_clock_[record.type()], record, at, [&](std::int64_t time) { begun_.push(packet_key(record), {time, at, 0}); });
  }

  void end_packet(const Record& record, std::int64_t at) {
    with_time(dma_clock_[record.type()], record, at, [&](std::int64_t time) {
      const std::size_t key = packet_key(record);
      if (!is_open(begun_, key, at)) return;
      const Start& from = begun_.front(key);
      packets_.add({.start = from.time,
                    .duration = length(from, time),
                    .source = from.source,
                    .bytes = record.first & 0xffffff,
                    .crc = static_cast<std::uint16_t>(record.second >> 16),
                    .engine = static_cast<std::uint8_t>(record.type()),
                    .queue = static_cast<std::uint8_t>(queue_of(record))});
      begun_.pop(key);
    });
  }

  // Packets still open at the end of the recording have no known size: they are only counted.
  void close_packets() {
    begun_.for_each([&](std::size_t, const Start& from) { damage_.unfinished.add(from.source); });
  }

  void take_throttle(const RecordBlock& block) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < block.count; ++i) {
      const Record record = block[i];
      bits |= record.first;
      if (record.type() != kThrottleType) {
        damage_.unknown.add(block.at(i));
        continue;
      }
      const auto of = static_cast<std::uint8_t>(record.first >> 16 & 0xff);
      const auto limit = of == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(record.second & 0x7f);
      with_time(throttle_clock_, record, block.at(i), [&](std::int64_t time) {
        taker_.take(ThrottleRow{.time = time, .source = block.at(i), .limit = limit, .of = of});
      });
    }
    note_lost(TraceKind::throttle, block, bits);
  }

  void take_errors(const RecordBlock& block) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < block.count; ++i) {
      damage_.errors.add(block.at(i));
      bits |= block[i].first;
    }
    note_lost(TraceKind::error, block, bits);
  }

  ByteStream& in_;
  RowTaker& taker_;
  std::int64_t records_ = 0;
  std::array<ClockReader, kEngines> engine_clock_;
  std::array<ClockReader, kDmaEngines> dma_clock_;
  ClockReader event_clock_, throttle_clock_;
  std::array<CodePieces, kEngines> pieces_;
  PartLists lists_;                        // of the current block
  RowBlock<InstructionRow> instructions_;  // made from it
  RowBlock<PacketRow> packets_;
  RowBlock<SemaphoreRow> semaphores_;
  OpenStarts started_{kEngines << kPcBits};  // by engine and program counter
  OpenStarts begun_{kDmaEngines << 4};       // by DMA engine and queue
  std::vector<LostMark> lost_;
  Damage damage_;
};

}  // namespace

std::int64_t read_notifications(ByteStream& in, ByteStream* beside, const NtffHeader& header, const Graph& graph, RowTaker& taker,
                                Profile& profile) {
  Damage damage;
  std::vector<Unit> units = units_of(header, graph, damage);
  const auto reading = std::make_unique<Reading>(in, graph, taker);
  const auto other = std::make_unique<Reading>(beside == nullptr ? in : *beside, graph, taker);
  if (beside == nullptr) {
    reading->run(units);
  } else {
    const auto others =
        std::stable_partition(units.begin(), units.end(), [](const Unit& unit) { return unit.kind == TraceKind::instruction; });
    run_together({[&] { reading->run({units.begin(), others}); }, [&] { other->run({others, units.end()}); }}, 2);
  }
  std::vector<LostMark> lost = reading->lost();
  lost.insert(lost.end(), other->lost().begin(), other->lost().end());
  std::sort(lost.begin(), lost.end(), [](const LostMark& a, const LostMark& b) { return a.source < b.source; });
  for (const LostMark& mark : lost) taker.take(mark);
  damage.add(reading->damage());
  damage.add(other->damage());
  damage.report(profile);
  return reading->records() + other->records();
}

std::uint32_t slot_of(const Graph& graph, Engine engine, std::uint32_t pc) { return CodePieces(graph, engine).slot(pc); }

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

}  // namespace sightline::formats::neuron
