// Advice about stalls of the host: each rule on both sides of its threshold.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/advice_of.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// The device idles from 20 to 60 of 100 ns. Compiling takes 50 ns, 40 of them while it idles: 40% of the step.
TEST(StallAdvice, Compiling) {
  const std::string host = "10-60 annotation \"outer (dynamo_timed)\", 20-50 annotation \"inner (dynamo_timed)\"";
  const Advice advice = advice_of("compiling", "thread 1: 0-100 step 1, " + host + "\nstream 7: 0-20 a, 60-100 b");
  EXPECT_EQ(advice.gain, 40);
  EXPECT_EQ(advice.where, "outer (dynamo_timed)");
  EXPECT_TRUE(advice.evidence.starts_with("1 compilation took")) << advice.evidence;
  EXPECT_FALSE(is_advised("compiling", "thread 1: 0-1000 step 1, " + host + "\nstream 7: 0-20 a, 60-1000 b")) << "40 of 1000";
  EXPECT_FALSE(is_advised("compiling", "thread 1: 0-100 step 1, 10-60 annotation compile\nstream 7: 0-20 a")) << "another range";
}

TEST(StallAdvice, SlowBatch) {
  EXPECT_FALSE(is_advised("slow_batch", "thread 1: 0-900000000 step 1, 0-10000000 data next"));  // and 1% of the step
  const Advice advice = advice_of("slow_batch", "thread 1: 0-900000000 step 1, 5-10000006 data next");
  EXPECT_EQ(advice.evidence,
            "1 call of the data loader took longer than 10.0 ms; the longest, next, took 10.0 ms and begins at 5 ns.");
}

TEST(StallAdvice, GarbageCollection) {
  EXPECT_FALSE(is_advised("garbage_collection", "thread 1: 0-9000000 step 1\nthread 2: 0-1000000 python GC"));
  const Advice advice = advice_of("garbage_collection", "thread 1: 0-9000000 step 1\nthread 2: 0-3000000 python GC");
  EXPECT_EQ(advice.evidence,
            "1 collection took longer than 1.00 ms, 3.00 ms together; the longest took 3.00 ms and begins at 0 ns.");
  EXPECT_EQ(advice.severity, Advice::Level::high);  // a third of the step
  EXPECT_EQ(advice.gain, 3000000);
}

// A step of 1 s in which the device works for the first and the last 10 ms, and `calls` host calls of 1 us in between.
std::string gap(int calls, const std::string& more = "") {
  std::string host = "0-1000000000 step 1, 0-1000 runtime l [corr=1], 985000000-985001000 runtime l [corr=2]";
  for (int i = 0; i < calls; ++i) {
    const int at = 20000000 + i * 1000000;
    host += ", " + std::to_string(at) + "-" + std::to_string(at + 1000) + " runtime query";
  }
  return "thread 1: " + host + "\nstream 7: 1000-10000000 k [corr=1], 990000000-1000000000 k [corr=2]\n" + more;
}

TEST(StallAdvice, SilentGap) {
  // The gap is 980 ms: one call in 10 ms would be 98.
  const Advice advice = advice_of("silent_gap", gap(97));
  EXPECT_EQ(advice.evidence.substr(0, 108),
            "In 1 stretch longer than 200 ms, the device idles and the host makes almost no calls; the longest lasts 980 ");
  EXPECT_FALSE(is_advised("silent_gap", gap(120)));
  EXPECT_FALSE(is_advised("silent_gap", gap(0, "thread 2: 20000000-30000000 python GC")));  // known, not guessed
}

TEST(StallAdvice, DeviceAllocations) {
  const auto of = [](const char* end) {
    return std::string("thread 1: 0-90000000 step 1, 0-6000000 runtime cudaMalloc, 7000000-") + end + " runtime cudaFree";
  };
  EXPECT_FALSE(is_advised("device_allocations", of("11000000")));
  EXPECT_EQ(advice_of("device_allocations", of("12000000")).evidence,
            "2 calls to allocate or release memory of the device took 11.0 ms; the longest, cudaMalloc, took 6.00 ms.");
}

TEST(StallAdvice, Synchronizing) {
  const std::string calls = "thread 1: 0-100 step 1, 0-5 runtime aclrtSynchronizeStreamWithTimeout\n";
  EXPECT_EQ(advice_of("synchronizing", calls + "stream 7: 0-10 k, 10-20 k").evidence,
            "1 call waited for a stream, 0.50 for each piece of device work, and took 5 ns.");
  EXPECT_FALSE(is_advised("synchronizing", calls + "stream 7: 0-10 k, 10-20 k, 20-30 k"));
  EXPECT_FALSE(is_advised("synchronizing", calls));  // no device at all
}

TEST(StallAdvice, SyncBatchNorm) {
  const auto of = [](int count) {
    std::string text = "thread 1: 0-1000 step 1";
    for (int i = 0; i < count; ++i)
      text += ", " + std::to_string(i * 10) + "-" + std::to_string(i * 10 + 5) + " op SyncBatchNorm";
    return text;
  };
  EXPECT_FALSE(is_advised("sync_batch_norm", of(20)));
  EXPECT_TRUE(is_advised("sync_batch_norm", of(21)));
}

TEST(StallAdvice, Environment) {
  const std::string work = "thread 1: 0-100 step 1\n";
  EXPECT_FALSE(is_advised("environment", work + "meta ENV_VARIABLES.ASCEND_LAUNCH_BLOCKING = 0"));
  EXPECT_FALSE(is_advised("environment", work));
  const Advice advice =
      advice_of("environment", work + "meta ENV_VARIABLES.ASCEND_LAUNCH_BLOCKING = 1\nmeta TASK_QUEUE_ENABLE = 0");
  EXPECT_EQ(
      advice.evidence,
      "ASCEND_LAUNCH_BLOCKING=1: every launch waits for the device. TASK_QUEUE_ENABLE=0: operators are launched by the thread "
      "that runs the model.");
}

}  // namespace
}  // namespace sightline::analyses
