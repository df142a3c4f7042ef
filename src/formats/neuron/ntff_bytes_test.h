// NTFF files made by hand, for tests: instructions, records and clocks in, bytes out.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "base/proto_writer.h"

namespace sightline::formats::neuron {

inline constexpr unsigned kPe = 0, kAct = 1, kPool = 2, kDve = 3, kSp = 4;
inline constexpr unsigned kInstructionKind = 0, kEventKind = 1, kErrorKind = 2, kDmaKind = 4, kThrottleKind = 5;

// 64 bytes, all 0 except the given ones: {offset, value}.
inline std::string slot_of_bytes(std::initializer_list<std::pair<std::size_t, unsigned>> bytes) {
  std::string slot(64, '\0');
  for (const auto& [at, value] : bytes) slot[at] = static_cast<char>(value);
  return slot;
}

inline std::string notify(unsigned hint) { return slot_of_bytes({{0, 0xa6}, {1, 0x10}, {36, hint}, {39, 1}}); }

inline std::string record(std::uint32_t first, std::uint32_t second, std::uint64_t ticks) {
  std::string bytes(16, '\0');
  std::memcpy(bytes.data(), &first, 4);
  std::memcpy(bytes.data() + 4, &second, 4);
  std::memcpy(bytes.data() + 8, &ticks, 8);
  return bytes;
}

// Start and end of an instruction: its place in its engine's code (from `kBase`), waited cycles, CRCs.
inline constexpr std::uint32_t kBase = 0x100;  // program counter of every engine's first instruction
inline std::string instruction_start(unsigned engine, std::uint32_t at, std::uint64_t ticks, std::uint32_t waited = 0) {
  return record((4 + 4 * engine) << 24 | (kBase + at), waited << 16, ticks);
}
inline std::string instruction_end(unsigned engine, std::uint32_t at, std::uint64_t ticks, std::uint32_t crcs = 0) {
  return record((5 + 4 * engine) << 24 | (kBase + at), crcs, ticks);
}

// Clocks tick once per ns from 1000 on, unless a test says otherwise.
struct NtffBytes {
  struct Clock {
    std::uint64_t first = 1000, actual = 1024, expected = 1'024'000;
  };
  struct Trace {
    unsigned kind, block;
    std::string records;
  };

  unsigned version = 5;
  std::array<std::string, 5> code;
  std::array<Clock, 5> clocks;
  Clock event_clock, throttle_clock;
  std::vector<Clock> dma_clocks{Clock{}, Clock{}};
  std::vector<Trace> traces;
  std::vector<std::tuple<unsigned, unsigned, unsigned, std::string>> queues;  // DMA engine, queue, type, name
  std::vector<std::pair<std::string, std::uint64_t>> memory;
  unsigned graphs = 1;

  std::string bytes() const {
    ProtoWriter graph, node, root, whole;
    graph.bytes(1, "sg00");
    for (unsigned engine = 0; engine < 5; ++engine) add_code(graph, engine);
    std::string blob;
    for (const Trace& trace : traces) {
      ProtoWriter entry;
      entry.integer(1, trace.kind);
      entry.integer(3, trace.block);
      entry.integer(5, blob.size());
      entry.integer(6, trace.records.size());
      graph.message(6, entry);
      blob += trace.records;
    }
    for (const auto& [engine, queue, type, name] : queues) {
      ProtoWriter entry;
      entry.integer(1, engine);
      entry.integer(2, queue);
      entry.integer(3, type);
      entry.bytes(4, name);
      graph.message(7, entry);
    }
    graph.message(10, all_clocks());
    for (const auto& [holder, amount] : memory) {
      ProtoWriter entry;
      entry.integer(2, amount);
      entry.bytes(3, holder);
      graph.message(11, entry);
    }
    graph.integer(14, 123'456);
    for (unsigned i = 0; i < graphs; ++i) node.message(1, graph);
    ProtoWriter nodes;
    nodes.message(4, node);
    root.bytes(1, "model.neff");
    root.bytes(2, "0123456789abcdefXXXX");
    root.message(4, nodes);
    root.integer(5, 1);
    ProtoWriter runtime;
    runtime.integer(1, 2);
    runtime.integer(2, 29);
    root.message(8, runtime);
    root.bytes(9, "inf2.xlarge");
    std::string file(128, '\0');
    file[0] = static_cast<char>(version);
    const std::uint64_t size = root.data().size();
    std::memcpy(file.data() + 1, &size, 8);
    return file + root.data() + blob;
  }

 private:
  static ProtoWriter clock(const Clock& of) {
    ProtoWriter entry;
    entry.integer(1, of.first);
    entry.integer(2, of.actual);
    entry.integer(3, of.expected);
    return entry;
  }
  void add_code(ProtoWriter& graph, unsigned engine) const {
    ProtoWriter entry;
    entry.integer(1, engine);
    entry.integer(2, (std::uint64_t{3} << 32) + kBase * 64);
    entry.bytes(3, code[engine]);
    graph.message(4, entry);
  }
  ProtoWriter all_clocks() const {
    ProtoWriter all;
    const std::array<unsigned, 5> order{kPe, kAct, kDve, kPool, kSp};
    for (unsigned field = 1; field <= 5; ++field) all.message(field, clock(clocks[order[field - 1]]));
    all.message(6, clock(event_clock));
    all.message(7, clock(throttle_clock));
    for (const Clock& each : dma_clocks) all.message(8, clock(each));
    return all;
  }
};

}  // namespace sightline::formats::neuron
