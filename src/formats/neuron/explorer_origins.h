// Where an instruction comes from: its names in the compiler's levels, and the lines of source that it was made from. Neuron
// Explorer stores each level in a separate table, joined by ids; all of them are read before the instructions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/tables/parquet_rows.h"

namespace sightline::formats::neuron {

// Unknown values are empty. Stacks are frames, outermost last, joined by ';', each "file(line): function".
struct InstructionOrigin {
  std::string layer, hlo_name, penguin_name, bir_name;  // from the framework down to the compiler's back end
  std::string compiled;                                 // "opcode operands" of the compiled instructions, joined by "; "
  std::vector<std::string> stacks;                      // of the framework; a fused instruction may have several
  std::string kernel_stack;                             // of a kernel that was written by hand
  std::string loops;                                    // of that kernel: "i=0, j=3", outermost first
  std::string source;                                   // "file:line" of the innermost of all these
};

class ExplorerOrigins {
 public:
  enum class Level : std::uint8_t { framework, hlo, penguin, bir };
  // Each takes the current row of its table.
  void take_level(Level level, const ParquetRows& row);
  void take_assembly(const ParquetRows& row);
  void take_frame(const ParquetRows& row);
  void take_location(const ParquetRows& row);
  void take_file(const ParquetRows& row) { files_[row.text("id")] = row.text("name"); }
  void take_function(const ParquetRows& row) { functions_[row.text("id")] = row.text("name"); }
  void take_kernel_instruction(const ParquetRows& row);
  void take_kernel_frame(const ParquetRows& row);
  void take_loop_variable(const ParquetRows& row);

  // For the current row of Instruction.
  InstructionOrigin of(const ParquetRows& row);

  std::int64_t missing() const { return missing_; }  // instructions' references to missing rows, so far

 private:
  using CoreId = std::pair<std::int64_t, std::int64_t>;  // physical core, id: ids are per core

  struct LevelRow {
    std::string name;
    std::int64_t penguin, hlo, framework;  // ids
  };
  struct Compiled {
    std::int64_t place;
    std::string text;
  };
  struct Frame {
    std::string location, parent;
  };
  struct Location {
    std::string file, function;
    std::int64_t line;
  };
  struct KernelInstruction {
    std::int64_t frame, variable, line;
    std::string file;
  };
  struct KernelFrame {
    std::string function, file;
    std::int64_t parent, line;
  };
  struct Variable {
    std::string name;
    std::int64_t value, parent;
  };

  const LevelRow* level(Level level, std::int64_t id) const;
  void add_levels(const ParquetRows& row, InstructionOrigin& origin) const;
  void add_stacks(const ParquetRows& row, InstructionOrigin& origin);
  void add_kernel(const ParquetRows& row, InstructionOrigin& origin);
  const std::string& stack_of(const std::string& frame);
  std::string kernel_stack(const KernelInstruction& instruction, std::int64_t core) const;
  std::string loops(const KernelInstruction& instruction, std::int64_t core) const;

  std::map<Level, std::unordered_map<std::int64_t, LevelRow>> levels_;
  std::unordered_map<std::int64_t, std::vector<Compiled>> compiled_;  // by instruction
  std::unordered_map<std::string, Frame> frames_;
  std::unordered_map<std::string, Location> locations_;
  std::unordered_map<std::string, std::string> files_, functions_;
  std::unordered_map<std::string, std::string> stacks_;  // by innermost frame, made on first use
  std::map<std::pair<std::int64_t, std::string>, KernelInstruction> kernel_instructions_;  // by physical core and name
  std::map<CoreId, KernelFrame> kernel_frames_;
  std::map<CoreId, Variable> variables_;
  std::int64_t missing_ = 0;
};

}  // namespace sightline::formats::neuron
