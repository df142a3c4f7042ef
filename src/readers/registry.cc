// The formats this program reads, in the order they are asked.
#include <array>

#include "readers/ascend/ascend_reader.h"
#include "readers/kineto/kineto_reader.h"
#include "readers/neuron/neuron_reader.h"
#include "readers/reader.h"

namespace sightline {

std::span<const Reader> readers() {
  static const std::array<Reader, 3> all{kineto_reader(), ascend_reader(), neuron_reader()};
  return all;
}

}  // namespace sightline
