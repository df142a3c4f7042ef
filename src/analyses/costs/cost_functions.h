// The functions of cost expressions. An argument of a call is given by its number, from 0; -1 dimension is the last one. What
// the recording does not have is NaN.
#pragma once

#include <span>
#include <string_view>

#include "analyses/costs/call_arguments.h"

namespace sightline::analyses {

struct CostFunction {
  std::string_view name;
  std::size_t fewest, most;  // operands
  double (*value)(const CallArguments& call, std::span<const double> operands);
  std::string_view doc;  // "dim(i, k)  what it is"
};

std::span<const CostFunction> cost_functions();

// Those of extents that a product of dimensions does not give: convolutions, attention, reductions, routed experts.
std::span<const CostFunction> shape_functions();

// The number of elements of a tensor, and of those that lie in memory: a dimension of stride 0 repeats one element.
double elements_of(const TensorShape& tensor);
double stored_elements_of(const TensorShape& tensor);

// The tensor that an argument is; null: none, or a list.
const TensorShape* tensor_at(const CallArguments& call, double number);

// The numbers of a scalar argument that is a list, or its one number; empty: neither.
std::vector<double> values_at(const CallArguments& call, double number);

}  // namespace sightline::analyses
