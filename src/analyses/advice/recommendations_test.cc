// Advice: each rule on both sides of its threshold.
#include "analyses/advice/recommendations.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::vector<Advice> advice_for(std::string_view text) {
  const ProfilePtr profile = text_profile(text);
  return recommend(*profile, *step_summary(profile));
}

// The advice of one rule; empty id when it was not given.
Advice of_rule(std::string_view id, std::string_view text) {
  for (const Advice& advice : advice_for(text)) {
    if (advice.id == id) return advice;
  }
  return {};
}

bool given(std::string_view id, std::string_view text) { return !of_rule(id, text).id.empty(); }

TEST(Advice, DataLoading) {
  EXPECT_FALSE(given("data_loading", "thread 1: 0-100 step 1, 0-5 data next"));
  const Advice advice = of_rule("data_loading", "thread 1: 0-100 step 1, 0-40 data next");
  EXPECT_EQ(advice.evidence,
            "40.0% of the step time (40 ns of 100 ns per step) is spent in data loading while nothing else happens.");
  EXPECT_EQ(advice.severity, Advice::Level::high);
}

TEST(Advice, ExposedCommunication) {
  // 40 of 100, 30 of them behind a kernel: 10% is not enough, 11 is.
  EXPECT_FALSE(given("exposed_communication", "thread 1: 0-100 step 1\nstream 7: 0-40 collective r\nstream 8: 10-60 k"));
  EXPECT_TRUE(given("exposed_communication", "thread 1: 0-100 step 1\nstream 7: 0-40 collective r\nstream 8: 11-60 k"));
}

TEST(Advice, DataParallel) {
  const std::string text = "thread 1: 0-100 op DataParallel.forward\nstream 7: 0-90 k\n";
  EXPECT_FALSE(given("data_parallel", text));
  EXPECT_TRUE(given("data_parallel", text + "stream 7 of 1: 0-90 k"));
}

TEST(Advice, HostSideCommunication) {
  const std::string host = "thread 1: 0-100 op DistributedDataParallel.forward\nthread 2: 0-10 comm all_reduce\n";
  EXPECT_FALSE(given("host_side_communication", host));  // no device: the host is the right place
  EXPECT_TRUE(given("host_side_communication", host + "stream 7: 0-90 k"));
  EXPECT_FALSE(given("host_side_communication", host + "stream 7: 0-90 k, 90-95 collective r"));
}

TEST(Advice, LowUtilization) {
  EXPECT_FALSE(given("low_utilization", "thread 1: 0-100 step 1\nstream 7: 0-50 k"));
  const Advice advice = of_rule("low_utilization", "thread 1: 0-100 step 1\nstream 7: 0-49 k\nstream 7 of 2: 0-10 k");
  EXPECT_EQ(advice.evidence, "Devices 0 and 2 run kernels during only 49.0%, 10.0% of the steps' time.");
}

TEST(Advice, MixedPrecision) {
  // outer (eligible) holds mm (eligible, innermost): 30 of 40 kernel time.
  const std::string host =
      "device 0: Big [cc=8.0]\nthread 1: 0-100 op outer [eligible], 10-40 op mm [eligible], 20-21 runtime l [corr=1], 50-60 op "
      "add, 55-56 runtime l [corr=2]\n";
  const Advice advice = of_rule("mixed_precision", host + "stream 7: 30-60 k [corr=1], 60-70 k [corr=2]");
  EXPECT_EQ(advice.evidence.substr(0, 5), "75.0%");
  EXPECT_FALSE(given("mixed_precision", host + "stream 7: 30-60 k [corr=1 matrix], 60-70 k [corr=2]"));
  EXPECT_FALSE(given("mixed_precision", host + "stream 7: 30-60 k [corr=1 unknown_core], 60-70 k [corr=2]"));
}

TEST(Advice, MemoryPressure) {
  const std::string text = "device 0: A [memory=100]\ndevice 1: B [memory=100]\nthread 1: 0-100 op a\nmemory host: 0 999 999\n";
  EXPECT_FALSE(given("memory_pressure", text + "memory 0: 0 90 90\n"));
  const Advice advice = of_rule("memory_pressure", text + "memory 1: 0 95 95, 1 -95 0\n");
  EXPECT_EQ(advice.evidence, "Device 1 had 95 B allocated at the peak, 95.0% of its memory.");
  EXPECT_EQ(advice.link_view, "memory");
}

// A step of `count` launches of 1 us, 10 us apart, each followed by a kernel after `delay`.
std::string launches(int count, int delay, int duration) {
  std::string host = fmt::format("0-{} step 1, 0-{} op a", count * 10000, count * 10000);
  std::string device;
  for (int i = 0; i < count; ++i) {
    host += fmt::format(", {}-{} runtime l [corr={}]", i * 10000, i * 10000 + 1000, i);
    device +=
        fmt::format("{}{}-{} k [corr={}]", i == 0 ? "" : ", ", i * 10000 + 1000 + delay, i * 10000 + 1000 + delay + duration, i);
  }
  return fmt::format("thread 1: {}\nstream 7: {}", host, device);
}

TEST(Advice, LaunchBound) {
  const Advice advice = of_rule("launch_bound", launches(200, 3000, 5000));
  EXPECT_EQ(
      advice.evidence,
      "During 50.0% of the steps no device works while the host does; the median kernel takes 5.00 µs and starts 3.00 µs after "
      "its launching call.");
  EXPECT_FALSE(given("launch_bound", launches(200, 50000, 5000)));  // work queues up
  EXPECT_FALSE(given("launch_bound", launches(200, 500, 8500)));    // busy for 85%
}

TEST(Advice, SmallKernels) {
  EXPECT_TRUE(given("small_kernels", launches(100, 0, 5000)));
  EXPECT_FALSE(given("small_kernels", launches(99, 0, 5000)));
  EXPECT_FALSE(given("small_kernels", launches(100, 0, 10000)));
}

TEST(Advice, HostGaps) {
  // 0.5 ms of host work without device work in a step of 2 ms; the data loading of 0.3 ms is not the host's work.
  const Advice advice = of_rule("host_gaps",
                                "thread 1: 0-2000000 step 1, 100000-600000 op slow, 700000-1000000 data next\nstream 7: 0-100000 "
                                "k, 600000-700000 k, 1000000-2000000 k");
  EXPECT_EQ(advice.evidence,
            "1 gap with at least 100 µs of host work took 25.0% of the steps; the longest lasts 500 µs and begins at 100 µs.");
  EXPECT_FALSE(given("host_gaps", "thread 1: 0-2000000 step 1, 0-600000 op slow"));  // no device at all
}

TEST(Advice, UnbalancedSteps) {
  EXPECT_FALSE(given("unbalanced_steps", "thread 1: 0-100 step 1, 100-200 step 2, 200-320 step 3"));
  const Advice advice = of_rule("unbalanced_steps", "thread 1: 0-100 step 1, 100-200 step 2, 200-330 step 3");
  EXPECT_EQ(advice.title, "Step 3 is much slower than the others");
  EXPECT_EQ(advice.evidence, "It takes 130 ns, 1.30 times the median of 3 steps (100 ns).");
}

TEST(Advice, MostSevereFirstAndNoneWhenAllIsWell) {
  const auto advice = advice_for("thread 1: 0-100 step 1, 0-40 data next, 40-52 comm r");
  ASSERT_EQ(advice.size(), 2u);
  EXPECT_EQ(advice[0].id, "data_loading");
  EXPECT_EQ(advice[1].id, "exposed_communication");
  EXPECT_TRUE(advice_for("thread 1: 0-100 step 1, 0-90 op a").empty());
}

TEST(Advice, EveryRuleHasItsCondition) {
  for (const AdviceRule& rule : advice_rules()) EXPECT_FALSE(rule.when.empty()) << rule.id;
}

}  // namespace
}  // namespace sightline::analyses
