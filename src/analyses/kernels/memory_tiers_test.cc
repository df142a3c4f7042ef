// The memories of a device as limits in the roofline, by hand.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// A product whose operands are on the chip, a copy into the chip, and an operator of which the file does not state the bytes by
// memory. Each runs once.
ProfilePtr tiers() {
  auto profile = parse_text_profile(R"(
    device 0: chip
    program f: dot.1 [op=dot], copy.2 [op=copy], sort.3 [op=sort]
    stream 1: 0-100 dot [does=dot.1 cost.flops=2000 cost.bytes=0], 100-200 copy [does=copy.2 cost.flops=0 cost.bytes=150], 200-300 sort [does=sort.3 cost.flops=500 cost.bytes=100]
    row device_memories [device=0 name=HBM peak=2e9]
    row device_memories [device=0 name=VMEM peak_read=20e9 peak_written=10e9]
    row program_traffic [program_operator=0 memory=VMEM bytes=1300 bytes_read=1200 bytes_written=100]
    row program_traffic [program_operator=1 memory=HBM bytes=150 bytes_read=150]
    row program_traffic [program_operator=1 memory=VMEM bytes=150 bytes_written=150]
  )");
  profile->devices.peak_flops[0] = 40e9;     // 40 a ns
  profile->devices.peak_bandwidth[0] = 2e9;  // 2 a ns
  return profile;
}

TEST(MemoryTiers, TheMemoryClosestToItsPeakLimits) {
  const Report report = run_view(tiers(), "roofline");
  // dot.1 reads 1200 bytes in 100 ns: 12 of 20 a ns. It computes 20 of 40 a ns, and writes 1 of 10.
  // copy.2 reads 1.5 of 2 a ns, and writes 1.5 of 10.
  EXPECT_EQ(
      rows_text(report, "memories", {"name", "memory", "direction", "bytes", "rate", "peak", "of_peak", "intensity", "closest"}),
      "dot.1 VMEM read 1200 12000000000 20000000000 0.6 1.666667 yes\n"
      "dot.1 VMEM written 100 1000000000 10000000000 0.1 20 no\n"
      "copy.2 HBM read and written 150 1500000000 2000000000 0.75 0 yes\n"
      "copy.2 VMEM written 150 1500000000 10000000000 0.15 0 no\n");
  // Without bytes by memory: 500 operations and 100 bytes in 100 ns are 5 a ns, of 10 that 5 a byte allow.
  EXPECT_EQ(rows_text(report, "points", {"name", "of_roof", "limit"}),
            "dot.1 0.6 reading memory on the chip\ncopy.2 0.75 memory\nsort.3 0.5 memory\n");
}

TEST(MemoryTiers, AMemoryWithoutAPeakLimitsNothing) {
  auto profile = parse_text_profile(R"(
    device 0: chip
    program f: dot.1 [op=dot]
    stream 1: 0-100 dot [does=dot.1 cost.flops=2000 cost.bytes=50]
    row program_traffic [program_operator=0 memory=CMEM bytes=50 bytes_read=50]
  )");
  profile->devices.peak_flops[0] = 40e9;
  const Report report = run_view(ProfilePtr(std::move(profile)), "roofline");
  EXPECT_EQ(rows_text(report, "memories", {"memory", "direction", "bytes", "peak", "of_peak", "closest"}),
            "CMEM read and written 50 - - no\n");
  EXPECT_EQ(rows_text(report, "points", {"name", "of_roof", "limit"}), "dot.1 0.5 computing\n");
}

}  // namespace
}  // namespace sightline::analyses
