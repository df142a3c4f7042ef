// What the 64 bytes of an instruction say: opcode and operands, in the notation that the vendor's tools print.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::formats::neuron {

// Opcodes that the reader itself tells apart.
inline constexpr std::uint8_t kLoadWeights = 0x01, kMatmul = 0x02, kEventSemaphore = 0xa0, kNotify = 0xa6, kCompareBranch = 0xa9;

// "MATMUL"; of an opcode that is not known "Operation(N)".
std::string opcode_name(std::uint8_t opcode);

// Operands, and before them what the instruction waits for and what it signals; of an unknown opcode its bytes in hexadecimal.
// REQUIRES: `slot` is 64 bytes.
std::string operand_text(std::string_view slot);

// Floating-point operations of a MATMUL; of anything else kUnknown.
std::int64_t matmul_flops(std::string_view slot);

// The semaphores that an instruction has to do with; -1: none. An EVENT_SEMAPHORE has two of each kind.
struct SemaphoreUse {
  struct Wait {
    int semaphore = -1;
    std::uint32_t value = 0;
    bool at_least = false;  // else it must be equal
  };
  std::array<Wait, 2> waits;
  std::array<int, 2> signals{-1, -1};
  int transfer = -1;  // signalled not by the instruction itself but by the copy that it starts
};
SemaphoreUse semaphore_use(std::string_view slot);

// The hint of a NOTIFY: 2 where the program itself begins, 3 where it ends; of anything else -1.
int notify_hint(std::string_view slot);

}  // namespace sightline::formats::neuron
