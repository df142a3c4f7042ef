// What the text of a range says, by the writers that are known: operators of PyTorch, modules of hooks, numbered steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::formats {

// A range of PyTorch's autograd profiler: "aten::mm, seq = 3, op_id = 7, sizes = [[2, 3], []], input_op_ids = [...]".
struct OperatorText {
  std::string_view name;
  std::int64_t sequence;    // kUnknown: not stated
  std::string_view shapes;  // empty: not stated
};
std::optional<OperatorText> operator_text(std::string_view text);

// The module of "{'Module': 'layers.0.mlp', 'TrainableParams': 12}", which hooks of modules write; empty for other texts.
std::string_view module_text(std::string_view text);

// A text that may name one of many steps: words of its letters in lower case with # for numbers, such as "step #" of "Step 12",
// and the first number. nullopt if it has no word for a step.
struct StepText {
  std::string family;
  std::int64_t number;  // kUnknown: it has none
  int rank;             // how surely it is a step; the smallest is the surest
};
std::optional<StepText> step_text(std::string_view text);

}  // namespace sightline::formats
