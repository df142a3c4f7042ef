// The records of a graph: 16 bytes each, one per start or end of an instruction, change of a semaphore, step of a DMA packet or
// change of throttling; here they become rows with a start and a length. Times are ps since the clocks' beginning.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "model/profile.h"
#include "readers/binary/byte_stream.h"
#include "readers/binary/row_chunks.h"
#include "readers/neuron/ntff_header.h"

namespace sightline::neuron {

inline constexpr std::uint32_t kNoSlot = 0xffffffff;  // the instruction is not of the program: the runtime put it before

struct InstructionRow {
  std::int64_t start, duration;
  std::int64_t source;  // position of its first record in the file
  std::uint32_t slot;   // of the engine's instructions, all its pieces of code one after the other
  std::uint32_t pc;
  std::uint16_t wait_cycles, crc_in, crc_out;
  bool unfinished;  // no end was recorded: its length is 0, and it has no CRCs
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

struct Notifications {
  std::array<RowChunks<InstructionRow>, kEngines> instructions;  // by engine
  RowChunks<PacketRow> packets;
  RowChunks<SemaphoreRow> semaphores;
  std::vector<ThrottleRow> throttle;
  std::vector<LostMark> lost;
  std::int64_t records = 0;
};

// Reads the records that `graph` names, in the order in which they lie. Damage becomes rows of profile.problems.
// REQUIRES: the stream stands behind the header.
Notifications read_notifications(ByteStream& in, const NtffHeader& header, const Graph& graph, Profile& profile);

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

struct Record {
  std::uint32_t first, second;
  std::uint64_t ticks;
  unsigned type() const { return first >> 24 & 31; }
  std::uint32_t pc() const { return first & 0xfffff; }
};

// REQUIRES: `bytes` is 16 bytes.
inline Record record_of(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  Record record;
  std::memcpy(&record.first, bytes, 4);
  std::memcpy(&record.second, bytes + 4, 4);
  std::memcpy(&record.ticks, bytes + 8, 8);
  return record;
}

}  // namespace sightline::neuron
