// The header's messages, field by field. Fields that are not needed are skipped.
#include "formats/neuron/ntff_header.h"

#include <fmt/core.h>

#include <algorithm>

#include "formats/binary/proto_message.h"
#include "model/tables.h"

namespace sightline::formats::neuron {

namespace {

constexpr unsigned kVersions = 16;  // above this, the first byte is not a version
constexpr std::size_t kUuidBytes = 16;

std::uint64_t little_endian(const char* at) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}

// major.minor.patch
// "2.31.0"; for a simulation, which is marked in place of the revision, "2.31.0 (simulated)".
std::string version_of(ProtoMessage in) {
  std::array<std::uint64_t, 3> parts{};
  bool simulated = false;
  while (in.next()) {
    if (in.field() >= 1 && in.field() <= parts.size()) parts[in.field() - 1] = in.integer();
    if (in.field() == 5) simulated = in.bytes() == kSimulated;
  }
  return fmt::format("{}.{}.{}{}", parts[0], parts[1], parts[2], simulated ? fmt::format(" ({})", kSimulated) : "");
}

Clock clock_of(ProtoMessage in) {
  Clock clock;
  while (in.next()) {
    if (in.field() == 1) clock.first = in.integer();
    if (in.field() == 2) clock.actual = in.integer();
    if (in.field() == 3) clock.expected = in.integer();
  }
  return clock;
}

void add_clocks(ProtoMessage in, Graph& graph) {
  constexpr std::array<Engine, kEngines> kOrder{Engine::pe, Engine::act, Engine::dve, Engine::pool, Engine::sp};
  while (in.next()) {
    const unsigned field = in.field();
    if (field >= 1 && field <= kEngines) graph.engine_clock[static_cast<std::size_t>(kOrder[field - 1])] = clock_of(in.message());
    if (field == 6) graph.event_clock = clock_of(in.message());
    if (field == 7) graph.throttle_clock = clock_of(in.message());
    if (field == 8) graph.dma_clock.push_back(clock_of(in.message()));
  }
}

Code code_of(ProtoMessage in) {
  Code code;
  while (in.next()) {
    if (in.field() == 1) code.engine = in.integer();
    if (in.field() == 2) code.address = in.integer();
    if (in.field() == 3) code.slots = in.bytes();
  }
  return code;
}

Trace trace_of(ProtoMessage in) {
  Trace trace;
  while (in.next()) {
    if (in.field() == 1) trace.kind = in.integer();
    if (in.field() == 3) trace.block = in.integer();
    if (in.field() == 4) trace.engine = in.integer();
    if (in.field() == 5) trace.offset = in.integer();
    if (in.field() == 6) trace.size = in.integer();
    if (in.field() == 7) trace.physical_core = in.integer();
  }
  return trace;
}

Queue queue_of(ProtoMessage in) {
  Queue queue;
  while (in.next()) {
    if (in.field() == 1) queue.engine = in.integer();
    if (in.field() == 2) queue.queue = in.integer();
    if (in.field() == 3) queue.type = in.integer();
    if (in.field() == 4) queue.name = in.bytes();
  }
  return queue;
}

MemoryShare memory_of(ProtoMessage in) {
  MemoryShare share;
  while (in.next()) {
    if (in.field() == 2) share.bytes = in.integer();
    if (in.field() == 3) share.holder = in.bytes();
  }
  return share;
}

Graph graph_of(ProtoMessage in) {
  Graph graph;
  while (in.next()) {
    switch (in.field()) {
      case 1: graph.name = in.bytes(); break;
      case 2: graph.device = in.integer(); break;
      case 3: graph.core = in.integer(); break;
      case 4: graph.code.push_back(code_of(in.message())); break;
      case 6: graph.traces.push_back(trace_of(in.message())); break;
      case 7: graph.queues.push_back(queue_of(in.message())); break;
      case 10: add_clocks(in.message(), graph); break;
      case 11: graph.memory.push_back(memory_of(in.message())); break;
      case 14: graph.duration = in.integer(); break;
    }
  }
  return graph;
}

void add_node(ProtoMessage in, NtffHeader& header) {
  while (in.next()) {
    if (in.field() == 3 || in.field() == 6) ++header.other_nodes;
    if (in.field() != 4) continue;
    ProtoMessage graphs = in.message();
    while (graphs.next()) {
      if (graphs.field() == 1) header.graphs.push_back(graph_of(graphs.message()));
    }
  }
}

// The prologue's version and the length of the message after it.
Result<std::int64_t> read_prologue(ByteStream& in) {
  char prologue[kPrologue];
  const std::size_t got = in.take(prologue, kPrologue);
  if (in.failed()) return in.error();
  const unsigned version = got == 0 ? 0 : static_cast<unsigned char>(prologue[0]);
  if (got > 0 && version != kVersion) {
    in.fail(say(
        "NTFF version {} is not decoded (supported: {}); convert it to JSON with the vendor's tool (view --output-format json)",
        version, kVersion));
    Error error = in.error();
    error.code = ErrorCode::unsupported;
    error.where.replace(error.where.rfind(':'), std::string::npos, ":0");
    return error;
  }
  if (got < kPrologue) in.fail("the file ends inside its first 128 bytes");
  const std::uint64_t size = got < kPrologue ? 0 : little_endian(prologue + 1);
  if (size == 0 || size >> 48 != 0) in.fail(say("a header cannot have {} bytes", size));
  if (in.failed()) return in.error();
  return static_cast<std::int64_t>(size);
}

}  // namespace

std::int64_t Clock::picoseconds(std::uint64_t ticks) const {
  __extension__ using Wide = __int128;
  constexpr Wide kMost = Wide{1} << 60;
  if (expected >> 40 != 0 || actual >> 40 != 0) return kUnknown;
  const Wide passed = static_cast<Wide>(ticks) - static_cast<Wide>(first);
  const Wide scaled = passed * static_cast<Wide>(expected);
  const Wide divisor = static_cast<Wide>(actual);
  const Wide floored = scaled / divisor - (scaled % divisor < 0 ? 1 : 0);
  return floored > kMost || floored < -kMost ? kUnknown : static_cast<std::int64_t>(floored);
}

Result<NtffHeader> read_ntff_header(ByteStream& in) {
  const Result<std::int64_t> size = read_prologue(in);
  if (!size) return size.error();
  NtffHeader header;
  ProtoMessage root(in, *size);
  while (root.next()) {
    switch (root.field()) {
      case 1: header.name = root.bytes(); break;
      case 2: header.uuid = uuid_text(root.bytes()); break;
      case 4: add_node(root.message(), header); break;
      case 5: header.architecture = root.integer(); break;
      case 6: header.framework = root.bytes(); break;
      case 8: header.runtime = version_of(root.message()); break;
      case 9: header.instance_type = root.bytes(); break;
      case 11: header.driver = version_of(root.message()); break;
      case 12: header.collectives = version_of(root.message()); break;
    }
  }
  if (!in.failed() && header.graphs.empty()) in.fail("the header names nothing that a core executed");
  if (in.failed()) return in.error();
  header.records = static_cast<std::int64_t>(kPrologue) + *size;
  return header;
}

std::string uuid_text(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes.substr(0, kUuidBytes)) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

bool looks_like_ntff(std::string_view head) {
  if (head.size() <= kPrologue) return false;
  const auto version = static_cast<unsigned char>(head[0]);
  const std::uint64_t size = little_endian(head.data() + 1);
  const auto tag = static_cast<unsigned char>(head[kPrologue]);
  const std::string_view rest = head.substr(17, kPrologue - 17);
  return version > 0 && version < kVersions && size > 0 && size >> 48 == 0 && (tag & 7) <= 2 && tag >> 3 > 0 &&
         std::all_of(rest.begin(), rest.end(), [](char byte) { return byte == 0; });
}

}  // namespace sightline::formats::neuron
