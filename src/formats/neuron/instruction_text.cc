// Opcodes and their payloads, by byte offset in the slot; see docs/formats/neuron.md for the table this follows.
#include "formats/neuron/instruction_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "model/tables.h"

namespace sightline::formats::neuron {

namespace {

constexpr std::size_t kSlot = 64;                                // bytes
constexpr unsigned kWaitEqual = 1, kWaitAtLeast = 5;             // modes of waiting
constexpr unsigned kIncrement = 0x13, kAdd = 0x15, kSet = 0x19;  // modes of signalling
constexpr unsigned kCopy = 0xb8;                                 // opcode

class Slot {
 public:
  explicit Slot(std::string_view bytes) : bytes_(bytes) {}
  unsigned byte(std::size_t at) const { return static_cast<unsigned char>(bytes_[at]); }
  unsigned u16(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
  int i16(std::size_t at) const { return static_cast<std::int16_t>(u16(at)); }
  std::uint32_t u32(std::size_t at) const { return u16(at) | static_cast<std::uint32_t>(u16(at + 2)) << 16; }
  std::uint64_t u64(std::size_t at) const { return u32(at) | static_cast<std::uint64_t>(u32(at + 4)) << 32; }
  double real(std::size_t at) const {
    const std::uint32_t bits = u32(at);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  }

 private:
  std::string_view bytes_;
};

std::string type_of_code(unsigned code) {
  constexpr const char* kNames[] = {"",      "uint64", "int8", "uint8", "int16", "uint16", "bfloat16", "fp16",
                                    "int32", "uint32", "fp32", "fp32r", "int64", "fp8_e3", "fp8_e4",   "fp8_e5"};
  return code > 0 && code < std::size(kNames) ? kNames[code] : fmt::format("dtype({})", code);
}

std::string waits_for(unsigned mode, unsigned index, std::uint32_t value) {
  switch (mode) {
    case 0: return "";
    case kWaitEqual: return fmt::format("$S[{}]=={}", index, value);
    case kWaitAtLeast: return fmt::format("$S[{}]>={}", index, value);
    case 7: return fmt::format("$E[{}]==1-", index);
    default: return fmt::format("wait_mode({}) $S[{}] {}", mode, index, value);
  }
}

std::string signals(unsigned mode, unsigned index, std::uint32_t immediate) {
  switch (mode) {
    case 0: return "";
    case kIncrement: return fmt::format("$S[{}]++@complete", index);
    case kAdd: return fmt::format("$S[{}]+={}@complete", index, immediate);
    case kSet: return fmt::format("$S[{}]={}@complete", index, immediate);
    default: return fmt::format("update_mode({:#x}) $S[{}]", mode, index);
  }
}

// An access pattern: the address, three steps, three counts.
std::string pattern(const Slot& s, std::size_t at) {
  return fmt::format("@{:#x}[{},{},{}][{},{},{}]", s.u32(at), s.i16(at + 4), s.i16(at + 6), s.i16(at + 8), s.u16(at + 10),
                     s.u16(at + 12), s.u16(at + 14));
}

std::string matrix(const Slot& s) { return fmt::format("{}*{}", s.byte(38), s.byte(39)); }

std::string activation(const Slot& s) {
  const std::string function = s.byte(12) == 1 ? "COPY" : fmt::format("FN{}", s.byte(12));
  const std::string accumulator = s.byte(14) == 0 ? "IDLE" : fmt::format("C{}", s.byte(14));
  return fmt::format("{} bias_imm={:.6f} src={}{} dst={}{} channels={} scale={:.6f} imm=[{:#x}] accumulator_cmd={}", function,
                     s.real(40), type_of_code(s.byte(32) & 15), pattern(s, 16), type_of_code(s.byte(33)), pattern(s, 48),
                     s.byte(34), s.real(36), s.u32(44), accumulator);
}

std::string write(const Slot& s) {
  std::string data, sizes, addresses;
  for (std::size_t i = 0; i < 2; ++i) {
    if (s.byte(12 + i) == 0) continue;
    const char* comma = sizes.empty() ? "" : ",";
    data += fmt::format("{}{:#x}", comma, s.u64(32 + 8 * i));
    addresses += fmt::format("{}{:#x}", comma, s.u64(16 + 8 * i));
    sizes += fmt::format("{}{}", comma, s.byte(12 + i));
  }
  return fmt::format("data={} size={} dst={}", data, sizes, addresses);
}

std::string notify(const Slot& s) {
  const std::string kind = s.byte(37) == 0 ? "EXPLICIT" : fmt::format("N{}", s.byte(37));
  const std::string trace = s.byte(39) == 1 ? "START" : fmt::format("T{}", s.byte(39));
  return fmt::format("hint={} notification={} trace={}", s.byte(36), kind, trace);
}

std::string branch(const Slot& s) {
  const unsigned compare = s.byte(12);
  const std::string name = compare == 0 ? "ALWAYS" : compare == 3 ? "EQ" : fmt::format("compare({})", compare);
  std::string operands;
  if (compare != 0) operands = fmt::format("dtype={} cmp0=$R[{}] cmp1={:#x} ", type_of_code(s.byte(13)), s.byte(15), s.u32(16));
  return fmt::format("cmp_op={} {}label_id={} debugHint={}", name, operands, s.u32(48), s.byte(3));
}

std::string tensor_access(const Slot& s) {
  std::string registers;
  const std::size_t count = std::min<std::size_t>(std::size_t{s.byte(14)} * s.byte(15), kSlot - 32);
  for (std::size_t i = 0; i < count; ++i) registers += fmt::format("{}$R[{}]", i == 0 ? "" : ",", s.byte(32 + i));
  return fmt::format("addr={}@{:#x}[{},{}][{},{}] data={}", type_of_code(s.byte(12)), s.u64(16), s.i16(24), s.i16(26), s.byte(14),
                     s.byte(15), registers);
}

// One side of a copy: a place in a table of addresses, or an address.
std::string copy_side(const Slot& s, std::size_t at, const char* side) {
  const std::uint64_t place = s.u64(at);
  if (place >> 61 != 0)
    return fmt::format("{0}_table_offset_imm={1:#x} {0}_table_index={2}", side, place & 0xffffffff, place >> 32 & 0x1fffffff);
  return fmt::format("{}_addr_imm={:#x}", side, place & 0xfffffffffff);
}

std::string copy(const Slot& s) {
  const auto plane = [&](std::size_t steps, std::size_t counts) {
    return fmt::format("[{},{}][{},{}]", s.u32(steps), s.u32(steps + 4), s.u16(counts), s.u16(counts + 2));
  };
  std::string types;
  if (s.byte(62) != s.byte(63))
    types = fmt::format("in_dtype={} out_dtype={} ", type_of_code(s.byte(62)), type_of_code(s.byte(63)));
  return fmt::format(
      "semaphore={} sem_increment={} src_elem_size={} dst_elem_size={} src_pattern={} dst_pattern={} {} src_shape_reg=0 {} "
      "dst_shape_reg=0 {}compute_op=NONE",
      s.byte(13), s.byte(14), s.u32(36), s.u16(60), plane(24, 32), plane(48, 56), copy_side(s, 16, "src"),
      copy_side(s, 40, "dst"), types);
}

std::string payload(const Slot& s, std::string_view bytes) {
  switch (s.byte(0)) {
    case kLoadWeights: return fmt::format("src={}{} {}", type_of_code(s.byte(32)), pattern(s, 16), matrix(s));
    case kMatmul:
      return fmt::format("acc_flags={} src={}{} dst={} {}", s.byte(43), type_of_code(s.byte(32)), pattern(s, 16),
                         pattern(s, 48).substr(1), matrix(s));
    case 0x21: return activation(s);
    case 0x23: return fmt::format("table_sel={}", s.byte(12));
    case kEventSemaphore: {
      std::string text = fmt::format("setter={}", s.byte(12));
      for (const std::string& more : {waits_for(s.byte(32), s.byte(33), s.u32(36)), signals(s.byte(34), s.byte(35), s.u32(40))}) {
        if (!more.empty()) text += " " + more;
      }
      return text;
    }
    case 0xa2: return "";
    case 0xa4: return fmt::format("cycle={}", s.u32(12));
    case 0xa5: return write(s);
    case kNotify: return notify(s);
    case 0xa9: return branch(s);
    case 0xaa:
    case 0xab: return tensor_access(s);
    case 0xb0: {
      const std::string mode = s.byte(12) == 1 ? "SEMAPHORE_ZERO" : fmt::format("{}", s.byte(12));
      return fmt::format("mode={} first={} last={}", mode, s.byte(13), s.byte(14));
    }
    case 0xb1: return s.byte(12) != 0 ? "ordering_mode=strict" : "ordering_mode=relaxed";
    case kCopy: return copy(s);
  }
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

std::string opcode_name(std::uint8_t opcode) {
  switch (opcode) {
    case kLoadWeights: return "LDWEIGHTS";
    case kMatmul: return "MATMUL";
    case 0x21: return "ACTIVATE";
    case 0x23: return "ACT_TABLE_LOAD";
    case kEventSemaphore: return "EVENT_SEMAPHORE";
    case 0xa2: return "DRAIN";
    case 0xa4: return "NOP";
    case 0xa5: return "WRITE";
    case kNotify: return "NOTIFY";
    case 0xa9: return "COMPARE_BRANCH";
    case 0xaa: return "TENSOR_LOAD";
    case 0xab: return "TENSOR_STORE";
    case 0xb0: return "EVENT_SEMAPHORE_RANGE_CLEAR";
    case 0xb1: return "SET_ORDERING_MODE";
    case kCopy: return "DMA_DIRECT2D";
  }
  return fmt::format("Operation({})", opcode);
}

std::string operand_text(std::string_view bytes) {
  const Slot s(bytes);
  std::string text;
  for (const std::string& part :
       {waits_for(s.byte(4), s.byte(5), s.u32(8)), signals(s.byte(6), s.byte(7), 1), payload(s, bytes)}) {
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  }
  return text;
}

std::int64_t matmul_flops(std::string_view bytes) {
  const Slot s(bytes);
  if (s.byte(0) != kMatmul) return kUnknown;
  // Rows and columns of the array, times the elements that move through it: at most 2 * 2^16 * 2^48 if the bytes are
  // damaged.
  const auto moving = static_cast<double>(s.u16(26)) * s.u16(28) * s.u16(30);
  const double flops = 2.0 * s.byte(38) * s.byte(39) * moving;
  return flops < 9e18 ? static_cast<std::int64_t>(flops) : kUnknown;
}

SemaphoreUse semaphore_use(std::string_view bytes) {
  const Slot s(bytes);
  SemaphoreUse use;
  const auto wait = [&](std::size_t which, std::size_t mode, std::size_t value) {
    if (s.byte(mode) == kWaitEqual || s.byte(mode) == kWaitAtLeast)
      use.waits[which] = {static_cast<int>(s.byte(mode + 1)), s.u32(value), s.byte(mode) == kWaitAtLeast};
  };
  const auto signal = [&](std::size_t which, std::size_t mode) {
    if (s.byte(mode) == kIncrement || s.byte(mode) == kAdd || s.byte(mode) == kSet)
      use.signals[which] = static_cast<int>(s.byte(mode + 1));
  };
  wait(0, 4, 8);
  signal(0, 6);
  if (s.byte(0) == kEventSemaphore) {
    wait(1, 32, 36);
    signal(1, 34);
  }
  if (s.byte(0) == kCopy) use.transfer = static_cast<int>(s.byte(13));
  return use;
}

int notify_hint(std::string_view bytes) {
  const Slot s(bytes);
  return s.byte(0) == kNotify ? static_cast<int>(s.byte(36)) : -1;
}

}  // namespace sightline::formats::neuron
