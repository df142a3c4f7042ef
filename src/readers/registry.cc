// The formats this program reads, in the order they are asked.
#include <array>

#include "readers/ascend/ascend_reader.h"
#include "readers/kineto/kineto_reader.h"
#include "readers/neuron/neuron_reader.h"
#include "readers/neuron/tensorboard_log.h"
#include "readers/reader.h"
#include "readers/slices_tsv/slices_tsv_reader.h"
#include "readers/xplane/xplane_reader.h"

namespace sightline {

std::span<const Reader> readers() {
  static const std::array<Reader, 6> all{kineto_reader(),     ascend_reader(), neuron_reader(),
                                         neuron_log_reader(), xplane_reader(), slices_tsv_reader()};
  return all;
}

}  // namespace sightline
