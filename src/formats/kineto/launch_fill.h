// How well kernels fill their device, where the writer does not say it, or says that a kernel does not run at all.
#pragma once

#include <cstdint>

#include "model/profile.h"

namespace sightline::formats::kineto {

// One launch. Blocks, and threads of a block, over all dimensions.
struct Launch {
  double blocks = 0, threads = 0;
  std::int64_t registers = 0;     // per thread
  std::int64_t shared_bytes = 0;  // per block
};

// The occupancy that a launch can reach, in percent; NaN where the device is of a generation whose rules are not known here, or
// the file does not describe it far enough. REQUIRES: the launch has threads.
double computed_occupancy(const Devices& devices, Row device, const Launch& launch);

// Computes blocks and warps per core and the occupancy of kernels for which the file states none; and the occupancy where it
// states 0 of a kernel with more shared memory than a block has without asking for it, which its writer does not allow for. Where
// the file says too little to compute that one, it is unknown.
// docs/formats/pytorch.md, "How full a device is". REQUIRES: device work has its launches.
void fill_launches(Profile& profile);

}  // namespace sightline::formats::kineto
