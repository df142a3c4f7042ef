// The records of a graph: 16 bytes each, one per start or end of an instruction, change of a semaphore, step of a DMA packet or
// change of throttling; here they become rows with a start and a length. Times are ps since the clocks' beginning.
//
// Rows are handed on as they are decoded, some hundred at a time, so that decoding holds what is open and no more, however long
// the recording.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "formats/binary/byte_stream.h"
#include "formats/neuron/ntff_header.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

inline constexpr std::uint32_t kNoSlot = 0xffffffff;  // the instruction is not of the program: the runtime put it before

struct InstructionRow {
  std::int64_t start;
  std::int64_t duration;  // kUnknown: no end was recorded, and so no CRCs
  std::int64_t source;    // position of its first record in the file
  std::uint32_t slot;     // of the engine's instructions, all its pieces of code one after the other
  std::uint32_t crcs;     // in: the lower half, out: the upper
  std::uint16_t wait_cycles;
  Engine engine;

  bool unfinished() const { return duration == kUnknown; }
  std::int64_t end() const { return start + duration; }  // REQUIRES: !unfinished()
  std::uint32_t crc_in() const { return crcs & 0xffff; }
  std::uint32_t crc_out() const { return crcs >> 16; }
};

struct PacketRow {
  std::int64_t start, duration;
  std::int64_t source;
  std::uint32_t bytes;
  std::uint16_t crc;
  std::uint8_t engine, queue;
};

struct SemaphoreRow {
  std::int64_t time;
  std::uint32_t value;
  std::uint8_t id;
  std::int8_t engine;  // that changed it; -1: over the bus
  bool event;          // an event has two states and is numbered apart from semaphores
};

struct ThrottleRow {
  std::int64_t time;
  std::int64_t source;
  std::uint8_t limit, of;  // at most limit/of of the time; both 0: not told
};

struct LostMark {     // a record that follows others which could not be written
  std::int64_t time;  // kUnknown: of no clock
  std::int64_t source;
  TraceKind kind;
};

// Who takes the rows. Instructions of one engine come in the order of their ends, those without an end last; packets of one DMA
// engine and queue in the order of their starts; semaphores as they were recorded; lost marks when all else is taken.
class RowTaker {
 public:
  virtual ~RowTaker() = default;
  virtual void take(std::span<const InstructionRow> rows) = 0;
  // These two on another thread than the one above, if there are two.
  virtual void take(std::span<const PacketRow> rows) = 0;
  virtual void take(std::span<const SemaphoreRow> rows) = 0;
  virtual void take(const ThrottleRow& row) = 0;
  virtual void take(const LostMark& mark) = 0;
};

// Reads the records that `graph` names, and returns how many there were. Instructions are read from `in`; all else from `beside`,
// on a thread of its own, or from `in` as well where that is null. Damage becomes rows of profile.problems.
// REQUIRES: `in` stands behind the header, `beside` at the beginning of the same file.
std::int64_t read_notifications(ByteStream& in, ByteStream* beside, const NtffHeader& header, const Graph& graph, RowTaker& taker,
                                Profile& profile);

// Where an instruction of this program counter stands among the slots of its engine, or kNoSlot.
std::uint32_t slot_of(const Graph& graph, Engine engine, std::uint32_t pc);

// The bytes of a slot; empty for kNoSlot.
std::string_view slot_bytes(const Graph& graph, Engine engine, std::uint32_t slot);

// Which engine and which of its four kinds of records (0 start, 1 end, 2 marker, 3 semaphore) a type stands for; -1: none.
struct EngineRecord {
  int engine, what;
};
constexpr EngineRecord engine_record(unsigned type) {
  return type >= 4 && type < 4 + 4 * kEngines ? EngineRecord{static_cast<int>(type / 4) - 1, static_cast<int>(type % 4)}
                                              : EngineRecord{-1, -1};
}

}  // namespace sightline::formats::neuron
