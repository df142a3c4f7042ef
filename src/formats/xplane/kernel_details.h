// KernelDetails: the text in which a device's tracer describes a kernel or a copy, such as
// "regs:32 static_shared:0 dynamic_shared:1024 grid:219,40,1 block:256,1,1 occ_pct:50" or "kind:DtoD size:4096 dest:2 async:1".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/tables.h"

namespace sightline::formats::xplane {

struct KernelDetails {
  std::string grid, block;  // "[219, 40, 1]"; empty: not said
  std::int32_t registers = -1;
  std::int64_t shared_bytes = kUnknown;
  float occupancy = kUnknownReal;  // percent; some tracers write 0 for not known, and so it is read
  std::int64_t size = kUnknown;    // bytes that were copied or set
  bool implausible = false;        // more registers than any device has: memory that the writer never set, which is not believed
};

KernelDetails kernel_details(std::string_view text);

}  // namespace sightline::formats::xplane
