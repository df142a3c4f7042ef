// Programs: the tables of compiled programs, and which of their operators each slice executes.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/xplane/builder.h"
#include "formats/xplane/hlo_module.h"

namespace sightline::formats::xplane {

class Programs {
 public:
  explicit Programs(Profile& profile) : p_(profile) {}

  // A module of the plane of programs: `name` is "jit_f(17)", by the number its program is known.
  void add(std::string_view name, const HloProgram& program);

  // The row of the operator that a slice executes. What no module tells of it, the slice does: then the row is made.
  Row operator_of(const ProgramUse& use);

  // Operators of the slice's program that call a library, whose kernels have names of their own; in the order in which they run.
  std::span<const Row> library_calls(const ProgramUse& use);

 private:
  using Places = std::unordered_map<std::int64_t, std::int64_t>;  // of instructions in the order in which they run

  struct Program {
    StringId name;
    std::unordered_map<StringId, Row> operators;   // by name
    std::unordered_map<std::string, Row> kernels;  // by the name that the compiler gives an operator's kernel; kNoRow: several's
    std::vector<Row> library_calls;                // as they run
  };

  Row add_operator(const Program& program, StringId program_id, StringId name);
  void add_operators(const HloModule& module, const Places& places, Program& program, StringId program_id);
  void add_buffers(const HloProgram& hlo, const Places& places, const Program& program, StringId program_id);
  Program* program_of(const ProgramUse& use);
  StringId id_of(const ProgramUse& use);

  Profile& p_;
  std::unordered_map<StringId, Program> by_id_;           // by the number as text
  std::unordered_map<StringId, StringId> id_of_name_;     // none: several programs have the name
  std::unordered_map<std::int64_t, Row> by_instruction_;  // of the module that is being added
};

// Gives slices their operators and costs. REQUIRES: links were added, since a call of the host tells executions apart.
void add_program_work(Builder& builder, Programs& programs);

}  // namespace sightline::formats::xplane
