// The meaning of an instruction's 64 bytes: opcode and operands, in the notation that the vendor's tools print.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::formats::neuron {

// Opcodes that the reader treats specially.
inline constexpr std::uint8_t kLoadWeights = 0x01, kMatmul = 0x02, kEventSemaphore = 0xa0, kNotify = 0xa6, kCompareBranch = 0xa9;

// "MATMUL"; "Operation(N)" for an unknown opcode.
std::string opcode_name(std::uint8_t opcode);

// What the instruction waits for and what it signals, then its operands; for an unknown opcode its bytes in hexadecimal.
// REQUIRES: `slot` is 64 bytes.
std::string operand_text(std::string_view slot);

// Floating-point operations of a MATMUL; kUnknown for everything else.
std::int64_t matmul_flops(std::string_view slot);

// The semaphores that an instruction uses; -1: none. An EVENT_SEMAPHORE has two of each kind.
struct SemaphoreUse {
  struct Wait {
    int semaphore = -1;
    std::uint32_t value = 0;
    bool at_least = false;  // else it must be equal
  };
  std::array<Wait, 2> waits;
  std::array<int, 2> signals{-1, -1};
  int transfer = -1;  // signalled by the copy that the instruction starts, not by the instruction
};
SemaphoreUse semaphore_use(std::string_view slot);

// The hint of a NOTIFY: 2 at the beginning of the program, 3 at its end; -1 for everything else.
int notify_hint(std::string_view slot);

}  // namespace sightline::formats::neuron
