// The ranges of the host that are operators of a framework, the tables of compiled programs, and which of their operators
// each slice executes.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/xplane/builder.h"
#include "formats/xplane/hlo_module.h"

namespace sightline::formats::xplane {

// ---- operators of the host ----

// Makes operators of the ranges that are named like the operator of a launch, and fills the table of operators.
void add_operators(Builder& builder);

// Marks operators that execute matrix products and convolutions of a program, alone or fused, as eligible for matrix units;
// other operations of the host's programs are not counted. REQUIRES: slices have the operators that they execute.
void find_matrix_operators(Builder& builder);

// ---- programs ----

class Programs {
 public:
  explicit Programs(Profile& profile) : p_(profile) {}

  // A module of the plane of programs: `name` is "jit_f(17)", with the number of its program.
  void add(std::string_view name, const HloProgram& program);

  // The row of the operator that a slice executes. If no module describes it, a row is made from what the slice states.
  Row operator_of(const ProgramUse& use);

  // Operators of the slice's program that call a library, whose kernels have their own names; in the order in which they
  // run.
  std::span<const Row> library_calls(const ProgramUse& use);

  // A transfer over the hosts' network that an operator begins or waits for; nullptr: it is another operator.
  struct Transfer {
    enum class Part { send, receive, send_done, receive_done } part;
    StringId name, kind;
    std::int64_t bytes;  // of its value
  };
  const Transfer* transfer_of(Row program_operator) const;

  // Makes the rows of program_traffic. REQUIRES: all uses had their operator.
  void add_traffic(const MemoryAccesses& accesses);

 private:
  using Places = std::unordered_map<std::int64_t, std::int64_t>;  // of instructions in the order in which they run

  struct Program {
    StringId name;
    std::unordered_map<StringId, Row> operators;   // by name
    std::unordered_map<std::string, Row> kernels;  // by the compiler's name for a kernel; kNoRow: of several operators
    std::vector<Row> library_calls;                // as they run
  };

  Row add_operator(const Program& program, StringId program_id, StringId name);
  void add_operators(const HloModule& module, const Places& places, Program& program, StringId program_id);
  void add_inputs(const HloInstruction& instruction, Row reader);
  void add_transfers(const HloModule& module);
  void add_buffers(const HloProgram& hlo, const Places& places, const Program& program, StringId program_id);
  Program* program_of(const ProgramUse& use);
  StringId id_of(const ProgramUse& use);

  Profile& p_;
  std::unordered_map<StringId, Program> by_id_;           // by the number as text
  std::unordered_map<StringId, StringId> id_of_name_;     // none: several programs have the name
  std::unordered_map<Row, Transfer> transfers_;           // by operator
  std::map<Row, std::int64_t> accesses_;                  // of MemoryAccesses, by operator
  std::unordered_map<std::int64_t, Row> by_instruction_;  // of the module that is being added
};

// Gives slices their operators and costs. REQUIRES: links were added, because calls of the host tell executions apart.
void add_program_work(Builder& builder, Programs& programs);

}  // namespace sightline::formats::xplane
