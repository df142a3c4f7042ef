// The formats this program reads, in the order they are asked.
#include <array>

#include "readers/kineto/kineto_reader.h"
#include "readers/reader.h"

namespace sightline {

std::span<const Reader> readers() {
  static const std::array<Reader, 1> all{kineto_reader()};
  return all;
}

}  // namespace sightline
