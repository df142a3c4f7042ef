// How well kernels fill their device, if the writer does not state it, or states that a kernel cannot run at all.
#pragma once

#include <cstdint>

#include "model/profile.h"

namespace sightline::formats {

// One launch. Blocks, and threads of a block, over all dimensions.
struct Launch {
  double blocks = 0, threads = 0;
  std::int64_t registers = 0;     // per thread
  std::int64_t shared_bytes = 0;  // per block
};

// The occupancy that a launch can reach, in percent; NaN if the rules of the device's generation are not known here, or the
// file does not describe the device in enough detail. REQUIRES: the launch has threads.
double computed_occupancy(const Devices& devices, Row device, const Launch& launch);

// Computes blocks and warps per core, and the occupancy of kernels for which the file states none. It also replaces an
// occupancy of 0 of a kernel with more shared memory than a block gets by default, which the writer's formula does not
// handle; if the file does not hold what the computation needs, that becomes unknown. docs/formats/pytorch.md, "How full a
// device is". REQUIRES: device work has its launches.
void fill_launches(Profile& profile);

}  // namespace sightline::formats
