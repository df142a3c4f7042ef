// Decoding by blocks against pairing record by record, on random input.
#include "formats/neuron/notifications.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "formats/neuron/ntff_bytes_test.h"
#include "formats/neuron/record_decoding.h"

namespace sightline::formats::neuron {

namespace {

using Instruction = std::tuple<int, std::int64_t, std::int64_t, std::int64_t, std::uint32_t, std::uint32_t, int>;
using Packet = std::tuple<int, int, std::int64_t, std::int64_t, std::int64_t, std::uint32_t, int>;
using Change = std::tuple<std::int64_t, std::uint32_t, int, int, bool>;

struct Rows final : RowTaker {
  void take(std::span<const InstructionRow> rows) override {
    for (const InstructionRow& row : rows) {
      instructions.emplace_back(static_cast<int>(row.engine), row.start, row.duration, row.source, row.slot, row.crcs,
                                row.wait_cycles);
    }
  }
  void take(std::span<const PacketRow> rows) override {
    for (const PacketRow& row : rows)
      packets.emplace_back(row.engine, row.queue, row.start, row.duration, row.source, row.bytes, row.crc);
  }
  void take(std::span<const SemaphoreRow> rows) override {
    for (const SemaphoreRow& row : rows) changes.emplace_back(row.time, row.value, row.id, row.engine, row.event);
  }
  void take(const ThrottleRow&) override {}
  void take(const LostMark& mark) override { lost.push_back(mark.source); }

  std::vector<Instruction> instructions;
  std::vector<Packet> packets;
  std::vector<Change> changes;
  std::vector<std::int64_t> lost;
};

std::int64_t time_by(const Clock& clock, const Record& record) {
  return clock.known() ? clock.picoseconds(record.ticks) : kUnknown;
}

// One record after the other, as in docs/formats/neuron.md.
struct Slowly {
  void instruction(const Graph& graph, const Record& record, std::int64_t at) {
    note(record, at);
    const auto [engine, what] = engine_record(record.type());
    if (engine < 0 || what > 1) return;
    const std::int64_t time = time_by(graph.engine_clock[static_cast<std::size_t>(engine)], record);
    if (time == kUnknown) return;
    auto& open = started[{engine, record.pc()}];
    if (what == 0) return open.push_back({time, at, static_cast<std::uint16_t>(record.second >> 16)});
    if (open.empty()) return;
    const Start from = open.front();
    open.pop_front();
    rows.instructions.emplace_back(engine, from.time, std::max<std::int64_t>(0, time - from.time), from.source,
                                   slot_of(graph, static_cast<Engine>(engine), record.pc()), record.second, from.wait_cycles);
  }

  void packet(const Graph& graph, const Record& record, std::int64_t at) {
    note(record, at);
    const unsigned engine = record.type(), queue = record.second >> 4 & 15, step = record.second & 15;
    if (engine >= graph.dma_clock.size() || (step != 1 && step != 5)) return;
    const std::int64_t time = time_by(graph.dma_clock[engine], record);
    if (time == kUnknown) return;
    auto& open = begun[{engine, queue}];
    if (step == 1) return open.push_back({time, at});
    if (open.empty()) return;
    const auto [start, source] = open.front();
    open.pop_front();
    rows.packets.emplace_back(engine, queue, start, std::max<std::int64_t>(0, time - start), source, record.first & 0xffffff,
                              record.second >> 16);
  }

  void event(const Graph& graph, const Record& record, std::int64_t at) {
    note(record, at);
    const EngineRecord of = engine_record(record.type());
    if (record.type() != 0x1b && of.what != 3) return;
    const std::int64_t time = time_by(graph.event_clock, record);
    if (time == kUnknown) return;
    rows.changes.emplace_back(time, record.second, record.first & 0xff, of.engine, (record.first >> 8 & 1) == 0);
  }

  // What never ended, by place in the file.
  void close(const Graph& graph) {
    std::map<std::int64_t, Instruction> left;
    for (const auto& [key, open] : started) {
      for (const Start& from : open) {
        left[from.source] = {
            key.first, from.time,       kUnknown, from.source, slot_of(graph, static_cast<Engine>(key.first), key.second),
            0,         from.wait_cycles};
      }
    }
    for (const auto& [source, row] : left) rows.instructions.push_back(row);
  }

  void note(const Record& record, std::int64_t at) {
    if ((record.first & 0x60000000) != 0) rows.lost.push_back(at);
  }

  struct Start {
    std::int64_t time, source;
    std::uint16_t wait_cycles;
  };
  std::map<std::pair<int, std::uint32_t>, std::deque<Start>> started;
  std::map<std::pair<unsigned, unsigned>, std::deque<std::pair<std::int64_t, std::int64_t>>> begun;
  Rows rows;
};

constexpr std::int64_t kHeader = 200;  // bytes before the records

struct Recording {
  Graph graph;
  NtffHeader header;
  std::string bytes = std::string(kHeader, '\0');

  void add(TraceKind kind, Block block, const std::string& records) {
    graph.traces.push_back({.kind = static_cast<std::uint64_t>(kind),
                            .block = static_cast<std::uint64_t>(block),
                            .offset = bytes.size() - kHeader,
                            .size = records.size()});
    bytes += records;
  }
};

// Few keys, so that much of one key is open at once; all types, some of which have no meaning; ticks from before the clocks
// began.
Recording recorded(std::mt19937_64& dice) {
  Recording made;
  made.header.records = kHeader;
  for (std::size_t engine = 0; engine < kEngines; ++engine)
    made.graph.engine_clock[engine] = {.first = 1000, .actual = 1024 - engine, .expected = 731'428 + engine};
  made.graph.engine_clock[4] = {};
  made.graph.event_clock = {.first = 500, .actual = 7, .expected = 5'000};
  made.graph.dma_clock = {{.first = 0, .actual = 1, .expected = 1000}, {.first = 900, .actual = 1024, .expected = 1'204'672}};
  for (std::uint64_t engine = 0; engine < 3; ++engine)
    made.graph.code.push_back({.engine = engine, .address = 2 * kSlotBytes, .slots = std::string(kSlotBytes * 2, 'x')});
  std::uint64_t now = 900;
  const auto ticks = [&] { return now += dice() % 8; };
  const auto lost = [&] { return dice() % 100 == 0 ? 0x20000000u : 0u; };
  std::string instructions, events, packets;
  for (int i = 0; i < 5000; ++i) {
    const auto type = static_cast<std::uint32_t>(dice() % 10 == 0 ? dice() % 32 : 4 + 4 * (dice() % 5) + dice() % 2);
    instructions +=
        record(type << 24 | lost() | static_cast<std::uint32_t>(dice() % 6), static_cast<std::uint32_t>(dice()), ticks());
  }
  for (int i = 0; i < 3000; ++i) {
    const auto type = static_cast<std::uint32_t>(dice() % 2 == 0 ? 0x1b : dice() % 32);
    events += record(type << 24 | lost() | static_cast<std::uint32_t>(dice() % 512), static_cast<std::uint32_t>(dice()), ticks());
  }
  for (int i = 0; i < 3000; ++i) {
    packets += record(static_cast<std::uint32_t>(dice() % 3) << 24 | lost() | static_cast<std::uint32_t>(dice() % 4096),
                      static_cast<std::uint32_t>(dice() % (1 << 18)), ticks());
  }
  made.add(TraceKind::instruction, Block::core, instructions);
  made.add(TraceKind::event, Block::core, events);
  made.add(TraceKind::dma, Block::dma, packets);
  return made;
}

Rows slow_rows(const Recording& made) {
  Slowly slowly;
  for (const Trace& trace : made.graph.traces) {
    for (std::uint64_t offset = 0; offset < trace.size; offset += kRecordBytes) {
      const std::uint64_t at = kHeader + trace.offset + offset;
      const Record record = record_of(made.bytes.data() + at);
      const auto position = static_cast<std::int64_t>(at);
      switch (static_cast<TraceKind>(trace.kind)) {
        case TraceKind::instruction: slowly.instruction(made.graph, record, position); break;
        case TraceKind::event: slowly.event(made.graph, record, position); break;
        default: slowly.packet(made.graph, record, position);
      }
    }
  }
  slowly.close(made.graph);
  return slowly.rows;
}

Rows fast_rows(const Recording& made, bool on_two_threads) {
  ByteStream in(made.bytes, "made"), beside(made.bytes, "made");
  in.skip(kHeader);
  Profile profile;
  Rows rows;
  const std::int64_t records = read_notifications(in, on_two_threads ? &beside : nullptr, made.header, made.graph, rows, profile);
  EXPECT_EQ(records, 11'000);
  return rows;
}

TEST(Notifications, BlocksAgreeWithSingleRecords) {
  std::mt19937_64 dice(11);
  for (int round = 0; round < 10; ++round) {
    const Recording made = recorded(dice);
    const Rows slow = slow_rows(made);
    EXPECT_GT(slow.instructions.size(), 1000u);
    EXPECT_GT(slow.packets.size(), 20u);
    for (const bool on_two_threads : {false, true}) {
      const Rows fast = fast_rows(made, on_two_threads);
      EXPECT_EQ(fast.instructions, slow.instructions);
      EXPECT_EQ(fast.packets, slow.packets);
      EXPECT_EQ(fast.changes, slow.changes);
      EXPECT_EQ(fast.lost, slow.lost);
    }
  }
}

}  // namespace
}  // namespace sightline::formats::neuron
