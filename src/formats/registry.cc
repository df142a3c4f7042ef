// The formats that this program reads, in the order in which they look at a file.
#include "formats/registry.h"

#include <array>

namespace sightline::formats {

std::span<const Reader> readers() {
  static const std::array<Reader, 8> all{kineto_reader(), ascend_reader(),     neuron_reader(), neuron_log_reader(),
                                         xplane_reader(), slices_tsv_reader(), lake_reader(),   torch_memory_reader()};
  return all;
}

}  // namespace sightline::formats
