// The arguments of one call, parsed from the texts that the recording has.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "analyses/costs/step_sums.h"
#include "base/layers.h"

namespace sightline::analyses {

struct OperatorCall;

// The items of a list in any of the notations of recordings: [a, [b, c]], (a, (b,)), "a"; quotes of an item are removed. The
// text of an item may itself be a list. A text without brackets has no items.
std::vector<std::string_view> list_items(std::string_view text);

// The element type of a tensor.
struct ElementType {
  std::string_view name = {};  // "bf16"; empty: unknown
  double size = 0;             // bytes; NaN: unknown
  int rank = 0;                // of two types, the result of an operator has the one of the higher rank
};

ElementType element_type(std::string_view recorded);  // "c10::BFloat16"
ElementType element_type_of_number(double number);    // as scalar inputs give types: 15 is bf16

struct TensorShape {
  std::vector<double> dims;
  std::vector<double> strides;  // in elements; empty: not recorded
};

struct CallArgument {
  // absent: optional and not given. scalar: also lists of numbers. list: tensors whose types are not recorded.
  enum class Kind { absent, scalar, tensor, list };
  Kind kind = Kind::absent;
  std::vector<TensorShape> tensors;  // one; of a list, all; empty for a list whose shapes are not recorded
  ElementType type;
  std::string_view value = {};  // the scalar's text
};

struct CallArguments {
  explicit CallArguments(const OperatorCall& call);

  // Null: the call has no such argument.
  const CallArgument* at(double number) const;

  std::vector<CallArgument> all;
  ServingStepSums sums;
};

}  // namespace sightline::analyses
