// The formats this program reads, in the order they are asked.
#include <array>

#include "formats/ascend/ascend_reader.h"
#include "formats/kineto/kineto_reader.h"
#include "formats/neuron/neuron_reader.h"
#include "formats/neuron/tensorboard_log.h"
#include "formats/reader.h"
#include "formats/slices_tsv/slices_tsv_reader.h"
#include "formats/xplane/xplane_reader.h"

namespace sightline::formats {

std::span<const Reader> readers() {
  static const std::array<Reader, 6> all{kineto_reader(),     ascend_reader(), neuron_reader(),
                                         neuron_log_reader(), xplane_reader(), slices_tsv_reader()};
  return all;
}

}  // namespace sightline::formats
