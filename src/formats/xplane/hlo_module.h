// A compiled program as XLA stores it beside a profile (xla.HloProto): what the tables of programs need, and the costs of its
// instructions. docs/formats/xplane.md, "Compiled programs" and "Costs".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/binary/proto_message.h"

namespace sightline::formats::xplane {

// ---- messages ----
// Texts are views of the message's bytes. docs/formats/xplane.md, "Compiled programs".

struct HloShape {
  int type = 0;  // number of the element type
  std::vector<std::int64_t> dimensions;
  std::vector<HloShape> parts;  // of a tuple
};

struct HloInstruction {
  std::int64_t id = 0;
  std::string_view name, opcode, fusion_kind, custom_call_target, backend_config;
  HloShape shape;
  std::string_view framework_operator;
  std::string_view file;
  std::int64_t line = 0, stack_frame = 0;
  std::vector<std::int64_t> operands, called;  // ids of instructions, of computations
  std::vector<std::int64_t> contracted;        // dimensions of the first operand that a dot sums over
  std::int64_t kernel_output_feature = -1;     // dimension of a convolution's kernel; -1: not a convolution
  std::int64_t channel = 0;                    // of a send or receive, and of the waits for it
  std::string_view rendezvous, transfer_kind;  // of a send or receive over the hosts' network
};

struct HloComputation {
  std::int64_t id = 0;
  std::vector<HloInstruction> instructions;
};

struct HloModule {
  std::string_view name;
  std::int64_t entry = 0;  // id of the computation that is the program
  std::vector<HloComputation> computations;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> schedule;  // of a computation: ids of instructions in order

  std::vector<std::string_view> files;
  struct Location {
    std::int64_t file = 0, line = 0;
  };
  std::vector<Location> locations;
  std::vector<std::int64_t> frames;  // of a stack frame: its location; all counted from 1

  // "file:line", or empty.
  std::string source_of(const HloInstruction& instruction) const;
};

// A value of a program and where it is stored.
struct HloBuffer {
  std::int64_t id = 0, bytes = 0, instruction = 0;
  std::vector<std::int64_t> part;  // of the instruction's tuple
};

struct HloAllocation {
  std::int64_t index = 0, space = 0;
  bool parameter = false, output = false, constant = false, thread_local_ = false;
  struct Assigned {
    std::int64_t buffer = 0, offset = 0, bytes = 0;
  };
  std::vector<Assigned> assigned;
};

// The order in which the values of one allocation begin and end their lifetimes.
struct HloHeapEvent {
  enum class Kind { alloc, free, share } kind = Kind::alloc;
  std::int64_t buffer = 0;
};

struct HloBuffers {
  std::vector<HloBuffer> buffers;
  std::vector<HloAllocation> allocations;
  std::vector<std::vector<HloHeapEvent>> heaps;  // each in order; several if memory was planned in parts
};

struct HloProgram {
  HloModule module;
  HloBuffers buffers;
};

// Keeps what precedes damage.
HloProgram hlo_program(std::string_view hlo_proto);

// "bf16[8,128]", "(f32[2], s32[])".
std::string shape_text(const HloShape& shape);

// Bytes of one element, 0.5 for types of 4 bits; 0 for types without a size.
double element_size(int type);
// Bytes of the whole shape, and its number of elements; negative without a size, or if it overflows.
double shape_bytes(const HloShape& shape);
double shape_elements(const HloShape& shape);

// ---- costs ----
// Costs: floating-point operations and bytes of the instructions of a program, if they follow from shapes by a formula that
// holds for every implementation. docs/formats/xplane.md, "Costs".

struct HloCost {
  double flops, bytes;  // NaN: not known
};

class HloCosts {
 public:
  explicit HloCosts(const HloModule& module);
  HloCost of(const HloInstruction& instruction);

 private:
  // The costs of a computation that is fused into an instruction.
  struct Inside {
    double flops;
    bool touches_parts;
  };

  double flops(const HloInstruction& instruction, int depth);
  double bytes(const HloInstruction& instruction);
  const Inside& inside(std::int64_t computation, int depth);
  double dot_flops(const HloInstruction& instruction, const std::vector<std::int64_t>& contracted) const;
  double convolution_flops(const HloInstruction& instruction) const;
  bool touches_parts(const HloInstruction& instruction, int depth);
  const HloInstruction* operand(const HloInstruction& instruction, std::size_t index) const;

  std::unordered_map<std::int64_t, const HloInstruction*> instructions_;
  std::unordered_map<std::int64_t, const HloComputation*> computations_;
  std::unordered_map<std::int64_t, Inside> inside_;  // each is computed once
};

}  // namespace sightline::formats::xplane
