// What precedes the records of an NTFF file, version 5: 128 bytes of prologue, then one protocol buffer message about what
// was run, on what, by which clocks, and where the records of each unit are. See docs/formats/neuron.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/binary/byte_stream.h"

namespace sightline::formats::neuron {

inline constexpr std::size_t kPrologue = 128;
inline constexpr unsigned kVersion = 5;
inline constexpr std::size_t kEngines = 5;
inline constexpr std::size_t kSlotBytes = 64;    // of one instruction
inline constexpr std::size_t kRecordBytes = 16;  // of one notification
inline constexpr std::string_view kSimulated = "simulated";

enum class Engine : std::uint8_t { pe, act, pool, dve, sp };

// From the ticks of one block to time: (ticks - first) increments, each `expected` ps for `actual` of 1024.
struct Clock {
  std::uint64_t first = 0, actual = 0, expected = 0;
  // Whether it is stated.
  bool known() const { return actual != 0 && expected != 0; }
  // ps since `first`; kUnknown if it does not fit. REQUIRES: known().
  std::int64_t picoseconds(std::uint64_t ticks) const;
};

struct Code {  // instructions of an engine, in device memory
  std::uint64_t engine = 0;
  std::uint64_t address = 0;
  std::string slots;
};

enum class TraceKind : std::uint8_t { instruction, event, error, explicit_marker, dma, throttle };
enum class Block : std::uint8_t { core, dma, collectives };

struct Trace {  // records of one unit
  std::uint64_t kind = 0, block = 0, engine = 0;
  std::uint64_t offset = 0, size = 0;  // bytes, after the header
  std::uint64_t physical_core = 0;
};

struct Queue {
  std::uint64_t engine = 0, queue = 0, type = 0;
  std::string name;
};

struct MemoryShare {
  std::string holder;
  std::uint64_t bytes = 0;
};

struct Graph {  // what one core executed
  std::string name;
  std::uint64_t device = 0, core = 0;
  std::vector<Code> code;
  std::vector<Trace> traces;
  std::array<Clock, kEngines> engine_clock;
  Clock event_clock, throttle_clock;
  std::vector<Clock> dma_clock;  // by DMA engine
  std::vector<Queue> queues;
  std::vector<MemoryShare> memory;
  std::uint64_t duration = 0;  // ps
};

struct NtffHeader {
  std::string name;                // of the compiled model
  std::string uuid;                // of the compiled model, hexadecimal
  std::uint64_t architecture = 0;  // number of the generation, from 0
  std::string framework, instance_type, runtime, driver, collectives;
  std::vector<Graph> graphs;
  std::int64_t other_nodes = 0;  // of the host, or of collectives, which are not decoded
  std::int64_t records = 0;      // position of the first record's block in the file
};

// REQUIRES: the stream is at the file's beginning. An Error names the byte; another version is ErrorCode::unsupported.
Result<NtffHeader> read_ntff_header(ByteStream& in);

// The UUID of a compiled model in the header, hexadecimal.
std::string uuid_text(std::string_view bytes);

// Whether the first bytes look like an NTFF file of any version.
bool looks_like_ntff(std::string_view head);

}  // namespace sightline::formats::neuron
