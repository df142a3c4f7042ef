// A table of cost formulas, a line each, in seven columns separated by |:
//
//   names | family | unit | precision | flops | bytes read | bytes written
//   my::gemm, my::gemm_* | product | matrix | 0 | 2 * numel(0) * dim(1, 0) | bytes(0) + bytes(1) | numel(0) * size(0)
//
// Names are separated by commas, and * is any text. The unit is matrix, vector or memory. The precision is the type of an
// argument, given by its number, or a word; - is unknown. The other three are expressions (expression.h) or -; one that begins
// with >= is a lower bound. Lines that begin with # and empty lines are comments. docs/costs.md lists the functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyses/costs/expression.h"
#include "base/result.h"

namespace sightline::analyses {

// What runs it: units for products of matrices, other arithmetic, or neither (bytes only).
enum class CostUnit { kMatrix, kVector, kMemory };

// "matrix", "vector", "memory".
std::string_view cost_unit_name(CostUnit unit);

struct Formula {
  std::vector<std::string> names;
  std::string family;
  CostUnit unit = CostUnit::kVector;
  int precision_of = -1;  // number of the argument whose type it is; -1: `precision`
  std::string precision;
  struct Figure {
    Expression expression;
    bool at_least = false;
  };
  Figure flops, bytes_read, bytes_written;
};

// malformed: `where` is "PATH, line N".
Result<std::vector<Formula>> parse_formulas(std::string_view text, std::string_view path);

// Whether a name fits a pattern in which * is any text.
bool fits_pattern(std::string_view name, std::string_view pattern);

}  // namespace sightline::analyses
