// An expression over the arguments of a call: numbers, + - * /, comparisons (1 or 0), parentheses, functions (cost_functions.h),
// comparisons of an argument's text, is(4, "BSH"), and sums of an engine's step (context.sqsk). Unknown is NaN, also
// everything computed from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/costs/call_arguments.h"
#include "base/result.h"

namespace sightline::analyses {

struct CostFunction;

class Expression {
 public:
  Expression() = default;  // always unknown

  // invalid_argument: what is wrong with the text.
  static Result<Expression> parse(std::string_view text);

  double value(const CallArguments& arguments) const;

  // Whether it uses a sum of the engine's step.
  bool takes_step_sums() const;

 private:
  friend class ExpressionParser;

  enum class Kind : std::uint8_t { number, stated, is, call, negate, add, subtract, multiply, divide, less, equal };
  struct Node {
    Kind kind = Kind::number;
    double number = 0;
    std::string text;                        // stated: what.name; is: the text
    const CostFunction* function = nullptr;  // call
    std::vector<std::size_t> operands;
  };

  static double value_of(const Node& node, std::span<const double> operands, const CallArguments& arguments);

  std::vector<Node> nodes_;  // operands before what uses them; the last one is the whole expression
};

}  // namespace sightline::analyses
