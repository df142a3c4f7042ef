// Arrays in NumPy's .npy files, as the inputs of a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::capture {

struct NpyArray {
  std::string type;  // NumPy's letters without the byte order: f4, i8, u1, ...; V2 is what bfloat16 is stored as. Empty: unknown
  std::vector<std::int64_t> shape;
  std::string bytes;  // little-endian, the last dimension fastest
};

// Of a file that is no .npy, its bytes as they are, and no type.
// malformed: cut short; unsupported: big-endian, columns first, or Python objects. `where` is the file.
Result<NpyArray> read_array(const std::string& path);

std::string npy_text(const NpyArray& array);

}  // namespace sightline::capture
