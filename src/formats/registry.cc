// The formats that this program reads, in the order in which they look at a file.
#include "formats/registry.h"

#include <array>

namespace sightline::formats {

std::span<const Reader> readers() {
  static const std::array all{
      kineto_reader(),          nsys_reader(),         rocm_reader(),     ascend_reader(),     ascend_cluster_reader(),
      neuron_reader(),          neuron_log_reader(),   xplane_reader(),   slices_tsv_reader(), lake_reader(),
      flight_recorder_reader(), torch_memory_reader(), perfetto_reader(), speedscope_reader(), cpuprofile_reader(),
      hatchet_reader(),         collapsed_reader()};
  return all;
}

}  // namespace sightline::formats
