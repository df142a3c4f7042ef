// Derived counters, worked by hand.
#include "analyses/devices/counters.h"

#include <gtest/gtest.h>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// "title series: time=value ..." per series.
std::string words(const ProfilePtr& profile) {
  std::string text;
  const auto made = counters(profile);
  for (const Counter& counter : *made) {
    for (const CounterSeries& series : counter.series) {
      text += counter.title + " " + series.title + ":";
      for (std::size_t i = 0; i < series.time.size(); ++i) {
        std::string value = std::to_string(series.value[i]);
        value.resize(value.find_last_not_of('0') + 1);
        text += " " + std::to_string(series.time[i]) + "=" + (value.ends_with('.') ? value.substr(0, value.size() - 1) : value);
      }
      text += "\n";
    }
  }
  return text;
}

TEST(Counters, OfDeviceWork) {
  // The window is 0-2000: two buckets of 1 µs. Kernels cover 500-1250, 0.5 and 0.25 of them. Blocks: 0.5 alone, 0.5 + 0.75
  // (capped) where both run. Calls begin at 100, 200 and 900; the third kernel has none and does not queue. The copy moves 300
  // bytes in 300 ns.
  const ProfilePtr profile = text_profile(
      "words GPU, tensor cores, SM\n"
      "thread 1: 0-2000 step 1, 100-150 runtime launch [corr=1], 200-250 runtime launch [corr=2], 900-950 runtime copy [corr=3]\n"
      "stream 7: 500-1000 a [corr=1 blocks=0.5], 1600-1900 memcpy HtoD [corr=3 bytes=300]\n"
      "stream 8: 750-1250 b [corr=2 blocks=0.75]\n");
  EXPECT_EQ(words(profile),
            "GPU utilization utilization: 0=50 1000=25 2000=0\n"
            "Est. SM efficiency efficiency: 500=50 750=100 1000=75 1250=0\n"
            "Launch queue stream 7: 100=1 500=0 900=1 1600=0\n"
            "Launch queue stream 8: 200=1 750=0\n"
            "Memory bandwidth HtoD: 1600=1000000000 1900=0\n");
}

TEST(Counters, CopyDirectionsInTheSpellingOfAnyWriter) {
  const ProfilePtr profile = text_profile(
      "stream 7: 0-10 memcpy MemcpyD2H [bytes=20], 20-30 memcpy CopyHostToDevice [bytes=10], 40-50 memcpy MemcpyOther "
      "[bytes=10]\n");
  const std::string all = words(profile);
  EXPECT_NE(all.find("Memory bandwidth DtoH: 0=2000000000 10=0\n"), std::string::npos) << all;
  EXPECT_NE(all.find("Memory bandwidth HtoD: 20=1000000000 30=0\n"), std::string::npos) << all;
  EXPECT_NE(all.find("Memory bandwidth other copies: 40=1000000000 50=0\n"), std::string::npos) << all;
}

TEST(Counters, OfEngines) {
  // 200 µs: buckets of 10 ns. The Tensor engine works 5-20 (half of the first, all of the second) and 42-44; waiting does not
  // count as work.
  const ProfilePtr profile = text_profile(
      "engine Tensor: 5-20 MATMUL [cost.flops=30], 20-30 sync WAIT, 42-44 MATMUL [cost.flops=8]\nengine Sync: 0-1 NOP, "
      "199990-200000 NOP\n");
  const std::string all = words(profile);
  EXPECT_NE(all.find("Engine utilization Tensor: 0=50 10=100 20=0 40=20 50=0\n"), std::string::npos) << all;
  // The device as a whole in the same buckets: 0-1 and 5-10 of the first.
  EXPECT_NE(all.find("Device utilization utilization: 0=60 10=100 20=0 40=20 50=0 199990=100 200000=0\n"), std::string::npos)
      << all;
  // 30 in 15 ns, 8 in 2 ns.
  EXPECT_NE(all.find("Operation rate operations: 5=2000000000 20=0 42=4000000000 44=0\n"), std::string::npos) << all;
  EXPECT_NE(all.find("Engine utilization Sync: 0=10 10=0 199990=100 200000=0\n"), std::string::npos) << all;
}

TEST(Counters, MemoryIsTheAllocatorsTotals) {
  const ProfilePtr profile = text_profile("thread 1: 0-100 op a\nmemory 0: 10 64 64, 20 32 96, 20 -64 32\nmemory host: 5 8 8\n");
  EXPECT_EQ(words(profile), "Memory of GPU0 allocated: 10=64 20=32\nMemory of CPU allocated: 5=8\n");
}

TEST(Counters, TheUnitComesFromTheFilesTitle) {
  const auto all = counters(text_profile("counter DMA throughput (B/s): 0 5\ncounter Queue (deep): 0 1\n"));
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].title, "DMA throughput");
  EXPECT_EQ((*all)[0].unit, Unit::bytes_per_second);
  EXPECT_EQ((*all)[1].title, "Queue (deep)");
  EXPECT_EQ((*all)[1].unit, Unit::none);
}

TEST(Counters, NoneWithoutDeviceWork) { EXPECT_EQ(words(text_profile("thread 1: 0-100 op a")), ""); }

TEST(Counters, BucketsAreAtMostAHundred) {
  EXPECT_EQ(utilization_bucket({0, 1}), 1000);
  EXPECT_EQ(utilization_bucket({0, 100'000}), 1000);
  EXPECT_EQ(utilization_bucket({0, 100'001}), 10'000);
}

}  // namespace
}  // namespace sightline::analyses
