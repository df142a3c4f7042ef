// Figures of kernels that the vendor documents a formula for, where the files state what goes into it and not the figure itself.
#pragma once

#include "model/profile.h"

namespace sightline::formats::ascend {

// Adds to the facts of kernels:
//
//   memory_bound (derived)   mte2_ratio / max(mac_ratio, vec_ratio) of the core that ran it; above 1 it waits for memory
//   L2 hit rate (derived)    hits / (hits + misses), over all caches' counters of them
//
// A kernel without one of the inputs, or with nothing to divide by, gets none. REQUIRES: facts and core types are complete.
void derive_facts(Profile& profile);

}  // namespace sightline::formats::ascend
