// Arrays in NumPy's .npy files, as the inputs of a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline {

struct NpyArray {
  std::string type;  // NumPy's letters without the byte order: f4, i8, u1, ...; V2 is what bfloat16 is stored as
  std::vector<std::int64_t> shape;
  std::string bytes;  // little-endian, the last dimension fastest
};

// malformed: no .npy file, or cut short; unsupported: big-endian, columns first, or Python objects. `where` is the file.
Result<NpyArray> read_npy(const std::string& path);

}  // namespace sightline
