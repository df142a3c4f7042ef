// Which device work multiplies matrices, as far as a profile tells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

class MatrixProducts {
 public:
  // REQUIRES: the profile outlives it.
  explicit MatrixProducts(const Profile& profile);

  // Whether this row of device_work is a matrix product: it ran on matrix units, or executes a dot, a convolution, or what a
  // program fused one into. Nullopt: the file does not say, as of a call into a library.
  std::optional<bool> is_product(Row work) const;

 private:
  std::optional<bool> of_operator(Row slice) const;

  const Profile& p_;
  std::vector<std::optional<bool>> operators_;  // by row of program_operators
};

}  // namespace sightline::analyses
