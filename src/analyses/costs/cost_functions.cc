#include "analyses/costs/cost_functions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sightline::analyses {

namespace {

using Operands = std::span<const double>;

double number_of(std::string_view text) {
  if (text == "True" || text == "true") return 1;
  if (text == "False" || text == "false") return 0;
  double number = kUnknownNumber;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() ? number : kUnknownNumber;
}

// The dimension `k` of a tensor, from its end if negative.
double dim_of(const TensorShape& tensor, double k) {
  const double place = k < 0 ? k + static_cast<double>(tensor.dims.size()) : k;
  const bool listed = place >= 0 && place < static_cast<double>(tensor.dims.size());
  return listed ? tensor.dims[static_cast<std::size_t>(place)] : kUnknownNumber;
}

// The sum over the tensors of an argument; 0 without a tensor.
double over_tensors(const CallArguments& call, double number, double (*measure)(const TensorShape&)) {
  if (std::isnan(number)) return kUnknownNumber;
  const CallArgument* argument = call.at(number);
  if (argument == nullptr || argument->kind == CallArgument::Kind::absent) return 0;
  if (argument->kind == CallArgument::Kind::scalar) return 0;
  if (argument->tensors.empty()) return kUnknownNumber;  // a list without shapes
  double sum = 0;
  for (const TensorShape& tensor : argument->tensors) sum += measure(tensor);
  return sum;
}

double dim(const CallArguments& call, Operands in) {
  const TensorShape* tensor = tensor_at(call, in[0]);
  return tensor == nullptr ? kUnknownNumber : dim_of(*tensor, in[1]);
}

double rank(const CallArguments& call, Operands in) {
  const TensorShape* tensor = tensor_at(call, in[0]);
  return tensor == nullptr ? kUnknownNumber : static_cast<double>(tensor->dims.size());
}

double numel(const CallArguments& call, Operands in) { return over_tensors(call, in[0], elements_of); }

double size(const CallArguments& call, Operands in) {
  const CallArgument* argument = call.at(in[0]);
  return argument == nullptr ? kUnknownNumber : argument->type.size;
}

double bytes(const CallArguments& call, Operands in) {
  const double stored = over_tensors(call, in[0], stored_elements_of);
  return stored == 0 ? 0 : stored * size(call, in);
}

double has(const CallArguments& call, Operands in) {
  const CallArgument* argument = call.at(in[0]);
  return argument != nullptr && (argument->kind == CallArgument::Kind::tensor || argument->kind == CallArgument::Kind::list);
}

double value(const CallArguments& call, Operands in) {
  const CallArgument* argument = call.at(in[0]);
  return argument == nullptr ? kUnknownNumber : number_of(argument->value);
}

double item(const CallArguments& call, Operands in) {
  const CallArgument* argument = call.at(in[0]);
  if (argument == nullptr) return kUnknownNumber;
  const std::vector<std::string_view> items = list_items(argument->value);
  return in[1] >= 0 && in[1] < static_cast<double>(items.size()) ? number_of(items[static_cast<std::size_t>(in[1])])
                                                                 : kUnknownNumber;
}

double product(const CallArguments& call, Operands in) {
  const std::vector<double> values = values_at(call, in[0]);
  if (values.empty()) return kUnknownNumber;
  double all = 1;
  for (const double one : values) all *= one;
  return all;
}

double is_list(const CallArguments& call, Operands in) {
  const CallArgument* argument = call.at(in[0]);
  if (argument != nullptr && argument->kind == CallArgument::Kind::scalar && argument->value.empty()) return kUnknownNumber;
  return argument != nullptr && (argument->value.starts_with('[') || argument->value.starts_with('('));
}

double packed(const CallArguments& call, Operands in) {
  const CallArgument* argument = call.at(in[0]);
  return argument != nullptr && argument->type.name == "fp4" ? 2 : 1;
}

double type_size(const CallArguments& call, Operands in) { return element_type_of_number(value(call, in)).size; }

// A tensor without dimensions changes the type only if it is of a higher kind: whole numbers, floating point, complex.
double result_size(const CallArguments& call, Operands in) {
  ElementType result{{}, kUnknownNumber, 0};
  bool from_dims = false;
  for (const double number : in) {
    const CallArgument* argument = call.at(number);
    const TensorShape* tensor = tensor_at(call, number);
    if (argument == nullptr || tensor == nullptr) continue;
    if (std::isnan(argument->type.size)) return kUnknownNumber;
    const bool dims = !tensor->dims.empty();
    const bool higher = argument->type.rank > result.rank;
    const bool higher_kind = argument->type.rank / 10 > result.rank / 10;
    if (dims == from_dims ? higher : dims ? !(result.rank / 10 > argument->type.rank / 10) : higher_kind) result = argument->type;
    from_dims = from_dims || dims;
  }
  return result.size;
}

double broadcast(const CallArguments& call, Operands in) {
  std::vector<double> dims;  // from the last one
  bool any = false;
  for (const double number : in) {
    const TensorShape* tensor = tensor_at(call, number);
    if (tensor == nullptr) continue;
    any = true;
    dims.resize(std::max(dims.size(), tensor->dims.size()), 1);
    for (std::size_t k = 0; k < tensor->dims.size(); ++k) {
      const double other = tensor->dims[tensor->dims.size() - 1 - k];
      dims[k] = dims[k] == 1 ? other : dims[k];
    }
  }
  return any ? elements_of({dims, {}}) : kUnknownNumber;
}

// Each tensor's bytes, but of no more elements than `in[0]`.
double tensors(const CallArguments& call, Operands in) {
  if (std::isnan(in[0])) return kUnknownNumber;
  double sum = 0;
  for (const CallArgument& argument : call.all) {
    if (argument.kind != CallArgument::Kind::tensor) continue;
    sum += std::min(stored_elements_of(argument.tensors.front()), in[0]) * argument.type.size;
  }
  return sum;
}

double last(const CallArguments& call, Operands in) {
  const double place = static_cast<double>(call.all.size()) - in[0];
  return value(call, {&place, 1});
}

double choose(const CallArguments&, Operands in) { return std::isnan(in[0]) ? kUnknownNumber : in[0] != 0 ? in[1] : in[2]; }

double unless(const CallArguments&, Operands in) { return in[0] == 0 ? in[1] : kUnknownNumber; }

double known(const CallArguments&, Operands in) { return !std::isnan(in[0]); }

double first(const CallArguments&, Operands in) {
  const auto known = std::find_if(in.begin(), in.end(), [](double one) { return !std::isnan(one); });
  return known == in.end() ? kUnknownNumber : *known;
}

bool any_unknown(Operands in) {
  return std::any_of(in.begin(), in.end(), [](double one) { return std::isnan(one); });
}

double smallest(const CallArguments&, Operands in) {
  return any_unknown(in) ? kUnknownNumber : *std::min_element(in.begin(), in.end());
}

double largest(const CallArguments&, Operands in) {
  return any_unknown(in) ? kUnknownNumber : *std::max_element(in.begin(), in.end());
}

constexpr std::size_t kMany = 16;
constexpr std::array<CostFunction, 22> kFunctions{{
    {"dim", 2, 2, dim, "dim(i, k)  dimension k of argument i; -1 is the last one"},
    {"rank", 1, 1, rank, "rank(i)  number of dimensions"},
    {"numel", 1, 1, numel, "numel(i)  number of elements, of a list of tensors in all; 0 without a tensor"},
    {"size", 1, 1, size, "size(i)  bytes of an element; unknown for a list of tensors"},
    {"bytes", 1, 1, bytes, "bytes(i)  bytes that it has in memory: a dimension of stride 0 counts once; 0 without a tensor"},
    {"has", 1, 1, has, "has(i)  1 if the argument is a tensor or a list of tensors, else 0"},
    {"value", 1, 1, value, "value(i)  number that is argument i; True is 1 and False is 0"},
    {"item", 2, 2, item, "item(i, k)  value k of a list of numbers or truth values"},
    {"product", 1, 1, product, "product(i)  product of a list of numbers"},
    {"is_list", 1, 1, is_list, "is_list(i)  1 if the value of argument i is a list"},
    {"last", 1, 1, last, "last(n)  number that is the n-th argument from the end"},
    {"packed", 1, 1, packed, "packed(i)  values in an element: 2 for 4-bit types, else 1"},
    {"type_size", 1, 1, type_size, "type_size(i)  bytes of an element of the type whose number is argument i"},
    {"result_size", 1, kMany, result_size, "result_size(i, ...)  bytes of an element of what the arguments give together"},
    {"broadcast", 1, kMany, broadcast, "broadcast(i, ...)  number of elements of what the arguments give element by element"},
    {"tensors", 1, 1, tensors, "tensors(n)  bytes of all tensors, each with at most n elements"},
    {"if", 3, 3, choose, "if(c, a, b)  a if c is not 0, else b"},
    {"unless", 2, 2, unless, "unless(c, a)  a if c is 0, else unknown"},
    {"known", 1, 1, known, "known(a)  1 if a is known, else 0"},
    {"first", 1, kMany, first, "first(a, ...)  first of the values that is known"},
    {"min", 1, kMany, smallest, "min(a, ...)  smallest of the values"},
    {"max", 1, kMany, largest, "max(a, ...)  largest of the values"},
}};

}  // namespace

std::span<const CostFunction> cost_functions() { return kFunctions; }

double elements_of(const TensorShape& tensor) {
  double all = 1;
  for (const double one : tensor.dims) all *= one;
  return all;
}

double stored_elements_of(const TensorShape& tensor) {
  double all = 1;
  for (std::size_t k = 0; k < tensor.dims.size(); ++k) {
    const bool repeated = !tensor.strides.empty() && tensor.strides[k] == 0 && tensor.dims[k] > 0;
    all *= repeated ? 1 : tensor.dims[k];
  }
  return all;
}

const TensorShape* tensor_at(const CallArguments& call, double number) {
  const CallArgument* argument = call.at(number);
  return argument != nullptr && argument->kind == CallArgument::Kind::tensor ? &argument->tensors.front() : nullptr;
}

std::vector<double> values_at(const CallArguments& call, double number) {
  const CallArgument* argument = call.at(number);
  if (argument == nullptr) return {};
  std::vector<double> values;
  for (const std::string_view one : list_items(argument->value)) values.push_back(number_of(one));
  if (const double alone = number_of(argument->value); values.empty() && !std::isnan(alone)) values.push_back(alone);
  return values;
}

}  // namespace sightline::analyses
