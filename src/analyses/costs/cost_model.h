// What one call of a framework operator costs: its floating-point operations and the bytes that it moves, from its name and the
// shapes, types, strides and scalar inputs that the recording has. The formulas are a table (formula_table.h); a user's own file
// in the same language comes before the built-in one.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/costs/formula_table.h"
#include "analyses/costs/step_sums.h"
#include "base/result.h"

namespace sightline::analyses {

// Texts as in the recording: lists of shapes, types, strides and inputs, one item for each argument; empty: not recorded.
struct OperatorCall {
  std::string_view name;
  std::string_view input_shapes;     // [[8, 512], [512], []]
  std::string_view input_types;      // ["float", "float", "Scalar"]
  std::string_view input_strides;    // [[512, 1], [1], []]
  std::string_view concrete_inputs;  // ["", "", "1"]
  ServingStepSums sums = {};         // of the inference engine's step around the call
};

struct OperatorCost {
  double flops;                // a multiply and an add are two; NaN: unknown
  double bytes_read;           // from device memory, each operand once; NaN: unknown
  double bytes_written;        // NaN: unknown
  std::string_view precision;  // "bf16", "fp16", "fp32", "fp8", ... of the operands; empty: unknown
  CostUnit unit;
  bool at_least;  // the recording does not have all of it: a known figure is a lower bound
  std::string_view family;
};

class CostModel {
 public:
  // The user's formulas, if any, before the built-in ones. malformed: a line of the user's file is wrong; `where` is
  // "PATH, line N".
  static Result<CostModel> make(std::string_view user_text = {}, std::string_view user_path = {});

  // Nothing: no formula has the operator's name, or the recording has too little for each of them. The views in the answer are
  // valid as long as the model. Safe to call from several threads.
  std::optional<OperatorCost> cost(const OperatorCall& call) const;

  // Whether the cost of the operator depends on OperatorCall::sums. Without them, the cost may be a lower bound.
  bool takes_step_sums(std::string_view name) const;

 private:
  void index();
  std::vector<std::size_t> formulas_of(std::string_view name) const;  // in the order of the table

  std::vector<Formula> formulas_;
  std::size_t own_ = 0;  // so many are the user's
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_name_;
  std::vector<std::pair<std::string, std::size_t>> patterns_;  // names with *
};

// The built-in table, as text.
std::string_view built_in_formulas();

}  // namespace sightline::analyses
