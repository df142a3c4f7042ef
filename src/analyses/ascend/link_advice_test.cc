// Advice about links: each rule on both sides of its threshold.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/advice_of.h"

namespace sightline::analyses {

using namespace tests;
namespace {

const std::string kWork = "thread 1: 0-1000000 step 1\nstream 7: 0-1000 collective ar_1 [coll=all_reduce], 1000-2000 k\n";

TEST(LinkAdvice, SmallPackets) {
  // 5 MB in one packet below 16 MB: 20% of 25 MB is not over 20%, 20% of 24 MB is.
  const auto of = [](const char* large) {
    return kWork + "communication ar_1 [elapsed=9]\ntransfer HCCS [of=ar_1 bytes=1 time=1 packets=1x5000000=9;1x" + large + "=9]";
  };
  EXPECT_FALSE(is_advised("small_packets", of("20000000")));
  EXPECT_EQ(advice_of("small_packets", of("19000000")).evidence,
            "Within a node, 20.8% of the traffic is in 1 packet below 16 MB, of 2 in all.");
  EXPECT_FALSE(is_advised("small_packets",
                          kWork + "communication ar_1 [elapsed=9]\ntransfer RDMA [of=ar_1 bytes=1 time=1 packets=1x1000000=9]"));
  EXPECT_TRUE(is_advised("small_packets",
                         kWork + "communication ar_1 [elapsed=9]\ntransfer RDMA [of=ar_1 bytes=1 time=1 packets=1x999999=9]"));
  EXPECT_FALSE(is_advised("small_packets", kWork + "communication ar_1 [elapsed=9]\ntransfer HCCS [of=ar_1 bytes=1 time=1]"));
}

// The collective takes 1000 ns, all exposed; with a stated transit, only that long does data move.
TEST(LinkAdvice, FasterCopiesDoNotWinTheWaiting) {
  const auto gain = [](const std::string& transit) {
    return advice_of("small_packets", kWork + "communication ar_1 [elapsed=1000" + transit +
                                          "]\ntransfer HCCS [of=ar_1 bytes=1 time=1 packets=1x5000000=9]")
        .gain;
  };
  EXPECT_DOUBLE_EQ(gain(""), 1000);
  EXPECT_DOUBLE_EQ(gain(" transit=40"), 40);
  EXPECT_DOUBLE_EQ(gain(" transit=2000"), 1000);
}

TEST(LinkAdvice, BandwidthContention) {
  // 0.8 x 18 GB/s = 14.4 bytes per ns.
  const auto of = [](const char* bytes, const char* beside) {
    return kWork + "stream 8: " + beside + " gemm\ncommunication ar_1 [elapsed=1000]\ntransfer HCCS [of=ar_1 bytes=" + bytes +
           " time=1000]";
  };
  EXPECT_FALSE(is_advised("bandwidth_contention", of("14500", "500-700")));
  EXPECT_FALSE(is_advised("bandwidth_contention", of("10000", "1200-1300")));  // no kernels at the same time
  EXPECT_EQ(advice_of("bandwidth_contention", of("14300", "500-700")).evidence,
            "1 collective ran beside kernels with less than 80.0% of what a link can do (18 GB/s); the slowest, ar_1, moved 14.3 "
            "GB/s over "
            "HCCS and kernels ran during 200 ns of its 1.00 µs.");
}

TEST(LinkAdvice, ByteAlignment) {
  const auto of = [](const char* link, const char* packets) {
    return kWork + "communication ar_1 [elapsed=9]\ntransfer " + link + " [of=ar_1 bytes=1 time=1 packets=" + packets + "]";
  };
  EXPECT_FALSE(is_advised("byte_alignment", of("HCCS", "3x1024=9;1x500=9")));
  EXPECT_FALSE(is_advised("byte_alignment", of("RDMA", "3x1000=9")));
  EXPECT_EQ(advice_of("byte_alignment", of("HCCS", "2x1000=9;1x513=10;5x1024=99")).evidence,
            "3 of 8 packets over 512 B within a node had a size that is not a multiple of 512 B; most time is in those of 513 B "
            "of ar_1.");
}

}  // namespace
}  // namespace sightline::analyses
