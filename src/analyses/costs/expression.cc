// A parser by recursive descent: comparison < sum < product < sign < atom.
#include "analyses/costs/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "analyses/costs/cost_functions.h"
#include "analyses/costs/step_sums.h"

namespace sightline::analyses {

namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kMostOperands = 16;

const CostFunction* function_named(std::string_view name) {
  for (const std::span<const CostFunction> functions : {cost_functions(), shape_functions()}) {
    for (const CostFunction& function : functions) {
      if (function.name == name) return &function;
    }
  }
  return nullptr;
}

bool unknown(std::span<const double> two) { return std::isnan(two[0]) || std::isnan(two[1]); }

std::string values_words(const CostFunction& function) {
  if (function.fewest == function.most) return std::to_string(function.most);
  return std::to_string(function.fewest) + " to " + std::to_string(function.most);
}

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

}  // namespace

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : rest_(text) {}

  Result<Expression> parse() {
    if (!comparison(0) || !at_end()) return *error_;
    return std::move(made_);
  }

 private:
  using Kind = Expression::Kind;
  using Place = std::optional<std::size_t>;  // of a node; nothing: error_ says why

  Place fail(Message cause) {
    if (!error_) error_ = Error{ErrorCode::invalid_argument, std::move(cause)};
    return std::nullopt;
  }

  char peek() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool take(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool at_end() {
    if (peek() == '\0' && rest_.empty()) return true;
    fail(say("'{}' follows the expression", rest_));
    return false;
  }

  std::size_t add(Expression::Node node) {
    made_.nodes_.push_back(std::move(node));
    return made_.nodes_.size() - 1;
  }

  Place join(Kind kind, std::size_t left, Place right) {
    if (!right) return right;
    return add({.kind = kind, .text = {}, .operands = {left, *right}});
  }

  Place comparison(int depth) {
    Place left = sum(depth);
    if (!left) return left;
    if (take('<')) return join(Kind::less, *left, sum(depth));
    if (!take('=')) return left;
    if (!take('=')) return fail("a comparison is == or <");
    return join(Kind::equal, *left, sum(depth));
  }

  Place sum(int depth) {
    Place left = term(depth);
    while (left) {
      if (take('+')) {
        left = join(Kind::add, *left, term(depth));
      } else if (take('-')) {
        left = join(Kind::subtract, *left, term(depth));
      } else {
        break;
      }
    }
    return left;
  }

  Place term(int depth) {
    Place left = sign(depth);
    while (left) {
      if (take('*')) {
        left = join(Kind::multiply, *left, sign(depth));
      } else if (take('/')) {
        left = join(Kind::divide, *left, sign(depth));
      } else {
        break;
      }
    }
    return left;
  }

  Place sign(int depth) {
    if (depth > kDeepest) return fail("the expression is nested too deeply");
    if (!take('-')) return atom(depth);
    const Place operand = sign(depth + 1);
    return operand ? Place(add({.kind = Kind::negate, .text = {}, .operands = {*operand}})) : operand;
  }

  Place atom(int depth) {
    const char next = peek();
    if (take('(')) {
      const Place inner = comparison(depth + 1);
      if (inner && !take(')')) return fail("a closing parenthesis is missing");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(next)) != 0) return number();
    if (std::isalpha(static_cast<unsigned char>(next)) != 0) return named(depth);
    return rest_.empty() ? fail("the expression ends where a value is expected")
                         : fail(say("a value is expected at '{}'", rest_));
  }

  Place number() {
    double value = 0;
    const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failed != std::errc()) return fail(say("not a number: '{}'", rest_));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return add({.kind = Kind::number, .number = value, .text = {}, .operands = {}});
  }

  Place named(int depth) {
    std::size_t length = 0;
    while (length < rest_.size() && is_name_char(rest_[length])) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (peek() == '(') return name == "is" ? is_text(depth) : call(name, depth);
    if (name.find('.') == std::string_view::npos) return fail(say("'{}' is neither a number nor a function", name));
    return add({.kind = Kind::stated, .text = std::string(name), .operands = {}});
  }

  // (argument, "text")
  Place is_text(int depth) {
    take('(');
    const Place argument = comparison(depth + 1);
    if (!argument) return argument;
    if (!take(',') || !take('"')) return fail("the function 'is' takes the number of an argument and a text in quotes");
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) return fail("a text has no closing quote");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (!take(')')) return fail(say("a ) is missing after the values of '{}'", "is"));
    return add({.kind = Kind::is, .text = std::string(text), .operands = {*argument}});
  }

  Place call(std::string_view name, int depth) {
    const CostFunction* function = function_named(name);
    if (function == nullptr) return fail(say("there is no function '{}'", name));
    Expression::Node node{.kind = Kind::call, .text = {}, .function = function, .operands = {}};
    take('(');
    do {
      const Place operand = comparison(depth + 1);
      if (!operand) return operand;
      node.operands.push_back(*operand);
    } while (node.operands.size() <= kMostOperands && take(','));
    if (!take(')')) return fail(say("a ) is missing after the values of '{}'", name));
    if (node.operands.size() < function->fewest || node.operands.size() > function->most) {
      return fail(say("'{}' takes {} values, not {}", name, values_words(*function), node.operands.size()));
    }
    return add(std::move(node));
  }

  std::string_view rest_;
  Expression made_;
  std::optional<Error> error_;
};

Result<Expression> Expression::parse(std::string_view text) { return ExpressionParser(text).parse(); }

double Expression::value(const CallArguments& arguments) const {
  std::vector<double> values(nodes_.size());  // operands come before what uses them
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::array<double, kMostOperands> in{};
    const std::vector<std::size_t>& operands = nodes_[i].operands;
    for (std::size_t k = 0; k < operands.size(); ++k) in[k] = values[operands[k]];
    values[i] = value_of(nodes_[i], std::span(in).first(operands.size()), arguments);
  }
  return values.empty() ? kUnknownNumber : values.back();
}

bool Expression::takes_step_sums() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.kind == Kind::stated; });
}

double Expression::value_of(const Node& node, std::span<const double> in, const CallArguments& arguments) {
  switch (node.kind) {
    case Kind::number: return node.number;
    case Kind::stated: {
      const std::size_t dot = node.text.find('.');
      return stated_sum(arguments.sums, std::string_view(node.text).substr(0, dot), std::string_view(node.text).substr(dot + 1));
    }
    case Kind::is: {
      const CallArgument* argument = arguments.at(in[0]);
      if (argument == nullptr || argument->kind != CallArgument::Kind::scalar) break;
      return argument->value == node.text ? 1 : 0;
    }
    case Kind::call: return node.function->value(arguments, in);
    case Kind::negate: return -in[0];
    case Kind::add: return in[0] + in[1];
    case Kind::subtract: return in[0] - in[1];
    case Kind::multiply: return in[0] * in[1];
    case Kind::divide: return in[0] / in[1];
    case Kind::less: return unknown(in) ? in[0] + in[1] : in[0] < in[1];
    case Kind::equal: return unknown(in) ? in[0] + in[1] : in[0] == in[1];
  }
  return kUnknownNumber;
}

}  // namespace sightline::analyses
