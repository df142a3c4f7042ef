// What the 64 bytes of an instruction say: opcode and operands, in the notation that the vendor's tools print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::neuron {

// Opcodes that the reader itself tells apart.
inline constexpr std::uint8_t kLoadWeights = 0x01, kMatmul = 0x02, kEventSemaphore = 0xa0, kNotify = 0xa6;

// "MATMUL"; of an opcode that is not known "Operation(N)".
std::string opcode_name(std::uint8_t opcode);

// Operands, and before them what the instruction waits for and what it signals; of an unknown opcode its bytes in hexadecimal.
// REQUIRES: `slot` is 64 bytes.
std::string operand_text(std::string_view slot);

// Floating-point operations of a MATMUL; of anything else kUnknown.
std::int64_t matmul_flops(std::string_view slot);

// The hint of a NOTIFY: 2 where the program itself begins, 3 where it ends; of anything else -1.
int notify_hint(std::string_view slot);

}  // namespace sightline::neuron
