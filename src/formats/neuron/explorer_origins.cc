// Tables by id, and chains of rows walked from the innermost outwards. Damaged files may have ids that lead nowhere or in
// circles.
#include "formats/neuron/explorer_origins.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/sort.h"
#include "formats/neuron/device_rows.h"

namespace sightline::formats::neuron {

namespace {

constexpr std::size_t kMostFrames = 1000;  // of one stack
constexpr std::size_t kMostStacks = 8;     // of one instruction

std::int64_t core_of(const ParquetRows& row) { return std::max<std::int64_t>(0, row.integer("pcore_idx")); }

// A semicolon would end the frame.
std::string frame_text(std::string file, std::int64_t line, std::string function) {
  std::string text = file.empty()       ? std::move(function)
                     : line < 0         ? function.empty() ? file : fmt::format("{}: {}", file, function)
                             : function.empty() ? fmt::format("{}:{}", file, line)
                                        : fmt::format("{}({}): {}", file, line, function);
  std::replace(text.begin(), text.end(), ';', ',');
  return text;
}

void append_frame(std::string& stack, const std::string& frame) {
  if (frame.empty()) return;
  if (!stack.empty()) stack += ';';
  stack += frame;
}

// Members of "[4, 5]" or "4".
std::vector<std::string> list_members(std::string_view list) {
  std::vector<std::string> members;
  std::string word;
  for (const char c : list) {
    const bool between = c == '[' || c == ']' || c == ',' || c == ' ' || c == '"' || c == '\'';
    if (!between) word += c;
    if (!between || word.empty()) continue;
    members.push_back(std::move(word));
    word.clear();
  }
  if (!word.empty()) members.push_back(std::move(word));
  return members;
}

template <typename Map, typename Key>
const typename Map::mapped_type* find(const Map& map, const Key& key) {
  const auto at = map.find(key);
  return at == map.end() ? nullptr : &at->second;
}

// Calls visit(row), which returns the key of the next row, from the innermost row outwards; a chain that leads back to itself
// ends there.
template <typename Map, typename Key, typename Visit>
void walk(const Map& map, Key key, Visit&& visit) {
  std::vector<const void*> seen;
  for (const auto* row = find(map, key); row != nullptr && seen.size() < kMostFrames; row = find(map, key)) {
    if (std::find(seen.begin(), seen.end(), row) != seen.end()) return;
    seen.push_back(row);
    key = visit(*row);
  }
}

}  // namespace

// ---- tables ----

void ExplorerOrigins::take_level(Level level, const ParquetRows& row) {
  constexpr std::string_view kIds[] = {"raw_framework_id", "raw_hlo_id", "raw_penguin_id", "raw_bir_id"};
  constexpr std::string_view kNames[] = {"framework_name", "hlo_name", "penguin_name", "bir_name"};
  const auto which = static_cast<std::size_t>(level);
  const std::int64_t id = row.integer(kIds[which]);
  if (id == kUnknown) return;
  levels_[level].try_emplace(id, LevelRow{row.text(kNames[which]), row.integer("raw_penguin_id"), row.integer("raw_hlo_id"),
                                          row.integer("raw_framework_id")});
}

void ExplorerOrigins::take_assembly(const ParquetRows& row) {
  std::string text = row.text("compiler_opcode");
  if (const std::string operands = row.text("compiler_operands"); !operands.empty()) text += " " + operands;
  compiled_[row.integer("instruction_id")].push_back({row.integer("compiler_pc"), std::move(text)});
}

void ExplorerOrigins::take_frame(const ParquetRows& row) {
  frames_[row.text("id")] = {row.text("file_location_id"), row.text("parent_frame_id")};
}

void ExplorerOrigins::take_location(const ParquetRows& row) {
  locations_[row.text("id")] = {row.text("file_name_id"), row.text("function_name_id"), row.integer("line_number")};
}

void ExplorerOrigins::take_kernel_instruction(const ParquetRows& row) {
  kernel_instructions_.try_emplace({core_of(row), row.text("kernel_instruction_name")},
                                   KernelInstruction{row.integer("stack_frame_id"), row.integer("iteration_variables_id"),
                                                     row.integer("line_number"), row.text("file_path")});
}

void ExplorerOrigins::take_kernel_frame(const ParquetRows& row) {
  kernel_frames_[{core_of(row), row.integer("stack_frame_id")}] = {row.text("fully_qualified_function_name"),
                                                                   row.text("file_path"), row.integer("parent_stack_frame_id"),
                                                                   row.integer("line_number")};
}

void ExplorerOrigins::take_loop_variable(const ParquetRows& row) {
  variables_[{core_of(row), row.integer("iteration_variable_id")}] = {row.text("variable_name"), row.integer("variable_value"),
                                                                      row.integer("parent_iteration_variable_id")};
}

// ---- an instruction ----

// Rows write 0 for none.
const ExplorerOrigins::LevelRow* ExplorerOrigins::level(Level level, std::int64_t id) const {
  const auto* const rows = find(levels_, level);
  return rows == nullptr || id == 0 || id == kUnknown ? nullptr : find(*rows, id);
}

// The row's own values win. A level that it does not name is found by its id, which the level below may have.
void ExplorerOrigins::add_levels(const ParquetRows& row, InstructionOrigin& origin) const {
  std::int64_t penguin = row.integer("raw_penguin_id"), hlo = row.integer("raw_hlo_id"),
               framework = row.integer("raw_framework_id");
  const auto learn = [&](const LevelRow* of) {
    if (of == nullptr) return;
    for (const auto& [id, known] : {std::pair{&penguin, of->penguin}, {&hlo, of->hlo}, {&framework, of->framework}})
      if (*id == kUnknown || *id == 0) *id = known;
  };
  const LevelRow* const bir = level(Level::bir, row.integer("raw_bir_id"));
  learn(bir);
  const LevelRow* const of_penguin = level(Level::penguin, penguin);
  learn(of_penguin);
  const LevelRow* const of_hlo = level(Level::hlo, hlo);
  learn(of_hlo);
  const auto name = [&](std::string_view column, const LevelRow* of) {
    const std::string stated = column.empty() ? "" : row.text(column);
    return stated.empty() && of != nullptr ? of->name : stated;
  };
  origin.bir_name = name("bir_instruction_name", bir);
  origin.penguin_name = name("", of_penguin);
  origin.hlo_name = name("hlo_name", of_hlo);
  origin.layer = name("layer", level(Level::framework, framework));
}

const std::string& ExplorerOrigins::stack_of(const std::string& innermost) {
  const auto [known, is_new] = stacks_.try_emplace(innermost);
  std::string& stack = known->second;
  if (!is_new) return stack;
  walk(frames_, innermost, [&](const Frame& frame) {
    if (const Location* at = find(locations_, frame.location)) {
      const std::string *const file = find(files_, at->file), *const function = find(functions_, at->function);
      append_frame(stack, frame_text(file == nullptr ? "" : *file, at->line, function == nullptr ? "" : *function));
    }
    return frame.parent;
  });
  return stack;
}

void ExplorerOrigins::add_stacks(const ParquetRows& row, InstructionOrigin& origin) {
  for (const std::string& frame : list_members(row.text("stack_frame_ids"))) {
    if (origin.stacks.size() == kMostStacks) break;
    const std::string& stack = stack_of(frame);
    missing_ += stack.empty();
    if (!stack.empty() && std::find(origin.stacks.begin(), origin.stacks.end(), stack) == origin.stacks.end())
      origin.stacks.push_back(stack);
  }
}

std::string ExplorerOrigins::kernel_stack(const KernelInstruction& instruction, std::int64_t core) const {
  std::string stack;
  const KernelFrame* const innermost = find(kernel_frames_, CoreId{core, instruction.frame});
  // The source line of the instruction, unless the innermost frame is the same.
  if (innermost == nullptr || innermost->file != instruction.file || innermost->line != instruction.line)
    append_frame(stack, frame_text(instruction.file, instruction.line, ""));
  walk(kernel_frames_, CoreId{core, instruction.frame}, [&](const KernelFrame& frame) {
    append_frame(stack, frame_text(frame.file, frame.line, frame.function));
    return CoreId{core, frame.parent};
  });
  return stack;
}

std::string ExplorerOrigins::loops(const KernelInstruction& instruction, std::int64_t core) const {
  std::string text;
  walk(variables_, CoreId{core, instruction.variable}, [&](const Variable& variable) {
    const std::string value = variable.value == kUnknown ? "?" : std::to_string(variable.value);
    text = fmt::format("{}={}{}{}", variable.name, value, text.empty() ? "" : ", ", text);
    return CoreId{core, variable.parent};
  });
  return text;
}

void ExplorerOrigins::add_kernel(const ParquetRows& row, InstructionOrigin& origin) {
  const std::string name = row.text("kernel_instruction_name");
  if (name.empty() || kernel_instructions_.empty()) return;
  const std::int64_t core = core_of(row);
  const KernelInstruction* const instruction = find(kernel_instructions_, std::pair{core, name});
  missing_ += instruction == nullptr;
  if (instruction == nullptr) return;
  origin.kernel_stack = kernel_stack(*instruction, core);
  origin.loops = loops(*instruction, core);
  if (!instruction->file.empty() && instruction->line >= 0)
    origin.source = fmt::format("{}:{}", instruction->file, instruction->line);
}

InstructionOrigin ExplorerOrigins::of(const ParquetRows& row) {
  InstructionOrigin origin;
  add_levels(row, origin);
  add_stacks(row, origin);
  add_kernel(row, origin);
  if (origin.source.empty()) origin.source = source_line(row.text("nki_source_location"));
  if (origin.source.empty() && !origin.stacks.empty()) origin.source = source_line(origin.stacks.front());
  if (origin.source.empty()) origin.source = source_line(row.text("bir_debug_info_source_location"));
  const auto compiled = compiled_.find(row.integer("id"));
  if (compiled == compiled_.end()) return origin;
  sort_up(compiled->second, &Compiled::place);
  for (const Compiled& each : compiled->second) origin.compiled += (origin.compiled.empty() ? "" : "; ") + each.text;
  return origin;
}

}  // namespace sightline::formats::neuron
