// The records of a graph: 16 bytes for each start or end of an instruction, change of a semaphore, step of a DMA packet or
// change of throttling. Here they become rows with a start and a length. Times are ps since the beginning of the clocks.
//
// Rows are handed on as they are decoded, some hundred at a time, so decoding holds what is open and no more, however long the
// recording is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "formats/binary/byte_stream.h"
#include "formats/neuron/ntff_header.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

// ---- records ----

inline constexpr std::uint32_t kNoSlot = 0xffffffff;  // the instruction is not part of the program: the runtime put it before

struct InstructionRow {
  std::int64_t start;
  std::int64_t duration;  // kUnknown: no end was recorded, so CRCs are unknown too
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
  bool event;          // an event has two states and a separate numbering
};

struct ThrottleRow {
  std::int64_t time;
  std::int64_t source;
  std::uint8_t limit, of;  // at most limit/of of the time; both 0: not stated
};

struct LostMark {     // a record that follows others which could not be written
  std::int64_t time;  // kUnknown: no clock
  std::int64_t source;
  TraceKind kind;
};

// Receives the rows. Instructions of one engine come in the order of their ends, those without an end last; packets of one
// DMA engine and queue in the order of their starts; semaphores as recorded; lost marks after everything else.
class RowTaker {
 public:
  virtual ~RowTaker() = default;
  virtual void take(std::span<const InstructionRow> rows) = 0;
  // These two may be called on another thread than the functions above.
  virtual void take(std::span<const PacketRow> rows) = 0;
  virtual void take(std::span<const SemaphoreRow> rows) = 0;
  virtual void take(const ThrottleRow& row) = 0;
  virtual void take(const LostMark& mark) = 0;
};

// Reads the records that `graph` names, and returns how many there are. Reads instructions from `in`, and everything else
// from `beside` on a separate thread, or from `in` as well if `beside` is null. Damage becomes rows of profile.problems.
// REQUIRES: `in` is after the header, `beside` at the beginning of the same file.
std::int64_t read_notifications(ByteStream& in, ByteStream* beside, const NtffHeader& header, const Graph& graph, RowTaker& taker,
                                Profile& profile);

// The index of a program counter's instruction among the slots of its engine, or kNoSlot.
std::uint32_t slot_of(const Graph& graph, Engine engine, std::uint32_t pc);

// The bytes of a slot; empty for kNoSlot.
std::string_view slot_bytes(const Graph& graph, Engine engine, std::uint32_t slot);

// The engine of a type, and which of its four kinds of records it is (0 start, 1 end, 2 marker, 3 semaphore); -1: none.
struct EngineRecord {
  int engine, what;
};
constexpr EngineRecord engine_record(unsigned type) {
  return type >= 4 && type < 4 + 4 * kEngines ? EngineRecord{static_cast<int>(type / 4) - 1, static_cast<int>(type % 4)}
                                              : EngineRecord{-1, -1};
}

}  // namespace sightline::formats::neuron

namespace sightline::formats {

// ---- rows in chunks ----
// RowChunks: rows that are appended one by one, by the million, and read by number. They are in pieces of one size, so
// growing copies nothing and never stores anything twice.

// T is copied bytewise.
template <typename T>
class RowChunks {
 public:
  void push_back(const T& row) {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
    chunks_.back()[size_++ % kChunk] = row;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Removes all rows and frees their memory.
  void clear() {
    std::vector<std::unique_ptr<T[]>>().swap(chunks_);
    size_ = 0;
  }
  const T& operator[](std::size_t row) const { return chunks_[row / kChunk][row % kChunk]; }

  class Iterator {
   public:
    Iterator(const RowChunks& rows, std::size_t row) : rows_(&rows), row_(row) {}
    const T& operator*() const { return (*rows_)[row_]; }
    Iterator& operator++() {
      ++row_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return row_ != other.row_; }

   private:
    const RowChunks* rows_;
    std::size_t row_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 12;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace sightline::formats

namespace sightline::formats::neuron {

// ---- rows by lane ----
// NotificationRows: all recorded rows by lane: instructions by engine, packets by queue, semaphores by their number. The
// tables are made lane by lane, and each lane's memory is freed.

class NotificationRows final : public RowTaker {
 public:
  static constexpr std::size_t kDmaEngines = 32, kQueues = 16, kSemaphores = 256;

  void take(std::span<const InstructionRow> rows) override;
  void take(std::span<const PacketRow> rows) override;
  void take(std::span<const SemaphoreRow> rows) override;
  void take(const ThrottleRow& row) override { throttle.push_back(row); }
  void take(const LostMark& mark) override { lost.push_back(mark); }

  std::array<RowChunks<InstructionRow>, kEngines> instructions;     // by engine
  std::array<RowChunks<PacketRow>, kQueues * kDmaEngines> packets;  // by queue, then by DMA engine
  std::array<RowChunks<SemaphoreRow>, 2 * kSemaphores> semaphores;  // semaphores by number, then events
  std::vector<ThrottleRow> throttle;
  std::vector<LostMark> lost;
  std::int64_t records = 0;  // that they were made from
};

}  // namespace sightline::formats::neuron
