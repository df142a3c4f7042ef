// A sound profile with a row in most tables, for fuzz targets that do not read files (tests/support/text_profile.h has the
// grammar).
#pragma once

#include <string_view>

#include "base/layers.h"

namespace sightline::tests {

inline constexpr std::string_view kSmallProfile = R"(
  rank 0 of 2
  device 0: Big GPU [memory=16000 cc=7.0 cores=80 clock=1000000000 flops=100000000000 bandwidth=1000000000]
  thread 1: 0-100 step 5, 0-40 op aten::mm [id=1 shapes=[[2,3],[3,4]] stack=f;g eligible], 10-15 runtime launch [corr=1], 50-60 runtime copy [corr=2], 100-200 step 6, 110-150 module Linear [instance=1], 120-140 op aten::add
  stream 7: 20-30 kernel gemm [corr=1 blocks=0.5 occ=30 matrix does=fusion.1], 62-65 memcpy HtoD [corr=2 bytes=64], 70-90 collective ar [coll=all_reduce group=0 n=2 in=8]
  memory 0: 10 64 64 [at=8 thread=1], 20 -64 0 [at=8 thread=1]
  held NPU0 PTA: 10 60 100 [active=70], 20 - 90
  counter Clock: 0 1800, 50 800
  sums 5: Computing 60, Free 40
  program train: fusion.1 [op=fusion framework=Net/dot source=m.py:3 flops=40 bytes=8], add.3 [reads=fusion.1+fusion.1]
  ran fusion.1: 0 nc1 3 90, - - 2 -
  communication ar_1 [step=5 group=G start=0 elapsed=100 transit=40 wait=50 sync=10]
  transfer HCCS [of=ar_1 bytes=30 time=40 packets=3x10=40]
  row tensors [name=w0 bytes=40]
)";

}  // namespace sightline::tests
