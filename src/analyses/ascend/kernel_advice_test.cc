// Advice from the columns that msprof records for kernels: each rule on both sides of its threshold, and silent without its
// columns.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/advice_of.h"

namespace sightline::analyses {

using namespace tests;
namespace {

TEST(KernelAdvice, HostCoreKernels) {
  const auto of = [](const char* end) {
    return std::string("thread 1: 0-200000 step 1, 0-100 op aten::unique, 1-5 runtime l [corr=1]\nstream 7: 100-") + end +
           " Unique [corr=1 host_core], 50000-130000 gemm\nfact Unique: Input Data Types = INT64";
  };
  EXPECT_FALSE(is_advised("host_core_kernels", of("20100")));
  EXPECT_EQ(
      advice_of("host_core_kernels", of("20101")).evidence,
      "1 kernel longer than 20.0 µs ran on a CPU core of the device and took 20.0 µs (20.0% of the kernel time); the longest is "
      "Unique (launched by aten::unique), on inputs of INT64.");
}

TEST(KernelAdvice, DynamicShapes) {
  const std::string text =
      "thread 1: 0-100 step 1, 10-30 runtime aclopCompileAndExecute, 12-20 runtime opCompile\nstream 7: 30-60 k\n";
  EXPECT_FALSE(is_advised("dynamic_shapes", text));
  EXPECT_FALSE(is_advised("dynamic_shapes", text + "fact k: OP State = static"));
  EXPECT_FALSE(is_advised("dynamic_shapes", "thread 1: 0-100 step 1\nstream 7: 30-60 k\nfact k: OP State = dynamic"));
  EXPECT_EQ(advice_of("dynamic_shapes", text + "fact k: OP State = dynamic").evidence,
            "1 call compiled operators and took 20 ns of the host's time, 20.0% of the steps; 1 kernel had shapes that were not "
            "known in advance, such as k.");
}

TEST(KernelAdvice, BlockCount) {
  const auto of = [](const char* grid, const char* more) {
    return std::string("device 0: Big [cores=24]\nthread 1: 0-90000 step 1\nstream 7: 0-20000 mm [matrix grid=") + grid + "]\n" +
           more;
  };
  EXPECT_FALSE(is_advised("block_count", of("48", "")));
  EXPECT_FALSE(is_advised("block_count", "thread 1: 0-90000 step 1\nstream 7: 0-20000 mm [matrix grid=20]"));  // cores not known
  EXPECT_EQ(advice_of("block_count", of("20", "")).evidence,
            "1 kernel of 20.0 µs or more ran in a number of blocks that is not a multiple of the number of cores, and took "
            "100.0% of the kernel time. The longest is mm: 20 blocks on 24 cores.");
}

TEST(KernelAdvice, UnboundKernels) {
  const std::string text = "thread 1: 0-90000 step 1\nstream 7: 0-20000 k\n";
  EXPECT_FALSE(is_advised("unbound_kernels", text));
  EXPECT_FALSE(is_advised("unbound_kernels", text + "fact k: aic_mac_ratio = 0.1, aic_mte2_ratio = 0.81"));
  EXPECT_FALSE(is_advised("unbound_kernels", "thread 1: 0-90000 step 1\nstream 7: 0-19999 k\nfact k: aic_mac_ratio = 0.1"));
  EXPECT_EQ(advice_of("unbound_kernels", text + "fact k: aic_mac_ratio = 0.1, aic_mte2_ratio = 0.8").evidence,
            "In 1 kernel of 20.0 µs or more, no pipeline works for over 80.0% of the time; this is 100.0% of the kernel time. "
            "The longest is k: its busiest pipeline works for 80.0% of 20.0 µs.");
}

TEST(KernelAdvice, CorePerformanceOfMatrixUnits) {
  const std::string text = "thread 1: 0-90000 step 1\nstream 7: 0-20000 mm [matrix type=MatMul]\n";
  EXPECT_FALSE(is_advised("core_performance", text));
  EXPECT_FALSE(is_advised("core_performance", text + "fact mm: aic_mac_ratio = 0.8, aic_mte2_ratio = 0.1"));
  EXPECT_FALSE(is_advised("core_performance", text + "fact mm: aic_mac_ratio = 0.1, aic_mte2_ratio = 0.95"));
  // Against the limit of mte2, 0.85 would be too little for mac.
  EXPECT_FALSE(is_advised("core_performance", text + "fact mm: aic_mac_ratio = 0.85, aic_mte2_ratio = 0.9"));
  EXPECT_EQ(
      advice_of("core_performance", text + "fact mm: aic_mac_ratio = 0.79, aic_mte2_ratio = 0.94, Input Shapes = 32;100")
          .evidence,
      "1 type of kernels, with 100.0% of the kernel time, used the cores less than is usual. Most time is in MatMul (1 call, "
      "20.0 "
      "µs): matrix unit 79.0% and loading 94.0% of the time. 1 of the matrix kernels among them had an inner axis that is not a "
      "multiple of 128.");
}

TEST(KernelAdvice, CorePerformanceOfVectorsAndAttention) {
  const std::string vector = "thread 1: 0-90000 step 1\nstream 7: 0-20000 add [vector type=Add]\n";
  EXPECT_FALSE(
      is_advised("core_performance", vector + "fact add: aiv_vec_ratio = 0.3, aiv_mte2_ratio = 0.4, aiv_mte3_ratio = 0.21"));
  EXPECT_FALSE(is_advised("core_performance", vector + "fact add: aiv_vec_ratio = 0.1, aiv_mte2_ratio = 0.7"));
  EXPECT_TRUE(
      is_advised("core_performance", vector + "fact add: aiv_vec_ratio = 0.3, aiv_mte2_ratio = 0.4, aiv_mte3_ratio = 0.19"));
  const std::string attention = "thread 1: 0-90000 step 1\nstream 7: 0-20000 fa [mixed type=FlashAttentionScore]\n";
  EXPECT_FALSE(is_advised("core_performance", attention + "fact fa: aic_mac_ratio = 0.3, aiv_vec_ratio = 0.75"));
  EXPECT_FALSE(is_advised("core_performance", attention + "fact fa: aic_mac_ratio = 0.3, aic_fixpipe_ratio = 0.75"));
  EXPECT_TRUE(
      is_advised("core_performance", attention + "fact fa: aic_mac_ratio = 0.85, aic_mte2_ratio = 0.79, aiv_vec_ratio = 0.74"));
  // Below 1% of the kernel time nothing is worth it.
  EXPECT_FALSE(is_advised("core_performance", vector + "stream 8: 0-2000000 gemm\nfact add: aiv_vec_ratio = 0.1"));
}

TEST(KernelAdvice, CoreFrequency) {
  // k runs 0-100: half of it at 1800, half at 1620, which is 10% below; so 5% on average.
  const std::string text = "thread 1: 0-200 step 1\nstream 7: 0-100 k [matrix], 120-130 late [matrix]\n";
  EXPECT_FALSE(is_advised("core_frequency", text));
  EXPECT_FALSE(is_advised("core_frequency", text + "counter AI Core Freq: 0 1800, 50 1622, 100 1800"));
  EXPECT_EQ(advice_of("core_frequency", text + "counter AI Core Freq: 0 1800, 50 1620, 100 1800").evidence,
            "1 name of kernels ran while the clock was 5% or more below 1800 MHz, the highest recorded, and took 90.9% of the "
            "kernel time. "
            "Most was lost in k: 5.0% below, over 100 ns.");
}

}  // namespace
}  // namespace sightline::analyses
