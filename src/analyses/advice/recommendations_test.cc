// Advice: each rule on both sides of its threshold.
#include "analyses/advice/recommendations.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::vector<Advice> advice_for(std::string_view text) { return recommend(text_profile(text))->advice; }

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
  EXPECT_EQ(advice.evidence, "40.0% of the step (40 ns per step) is spent in data loading while nothing else happens.");
  EXPECT_EQ(advice.severity, Advice::Level::high);
}

TEST(Advice, SmallCollectives) {
  // One step of `count` all-reduces of 10 and pauses of 10, with the attributes `size`; then a kernel.
  const auto of = [](int count, const std::string& size) {
    std::string text = "thread 1: 0-4000 step 1\nstream 7: 2000-4000 k\nstream 8: 0-1 k";
    for (int i = 0; i < count; ++i) {
      text +=
          ", " + std::to_string(10 + 20 * i) + "-" + std::to_string(20 + 20 * i) + " collective r [coll=all_reduce" + size + "]";
    }
    return text;
  };
  EXPECT_FALSE(given("small_collectives", of(49, "")));
  const Advice advice = of_rule("small_collectives", of(50, ""));
  EXPECT_EQ(
      advice.evidence.substr(0, 168),
      "50 collectives per step are small (shorter than 1.00 ms; 50 in all): half of them take 10 ns or less. While only they "
      "run, 12.5% of the step (500 ns per step) passes. 1");
  EXPECT_EQ(advice.gain, 500);
  EXPECT_FALSE(given("exposed_communication", of(50, "")));  // the same cause
  EXPECT_TRUE(given("small_collectives", of(50, " in=1048575 out=1048575")));
  EXPECT_FALSE(given("small_collectives", of(50, " in=1048576 out=1048576")));
  EXPECT_TRUE(given("exposed_communication", of(50, " in=1048576 out=1048576")));
}

TEST(Advice, SaysRecordingWhereNoStepsWereRecorded) {
  const Advice advice = of_rule("exposed_communication", "stream 7: 0-40 collective r\nstream 8: 40-100 k");
  EXPECT_EQ(advice.evidence.substr(0, 30), "40.0% of the recording (40 ns)");
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
  // The devices take turns: none waits for anything that another rule is about.
  const Advice advice =
      of_rule("low_utilization", "thread 1: 0-100 step 1\nstream 7: 0-49 k\nstream 7 of 2: 49-59 k\nstream 7 of 3: 49-100 k");
  EXPECT_EQ(advice.evidence, "Devices 0 and 2 run kernels during only 49.0%, 10.0% of the step.");
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
  EXPECT_TRUE(
      advice.evidence.starts_with("During 50.0% of the step no device works until the next launch, in 201 gaps shorter than "
                                  "1.00 ms; the median kernel takes "
                                  "5.00 µs and starts 3.00 µs after its launching call. "))
      << advice.evidence;
  EXPECT_EQ(advice.gain, 1000000);                                  // 200 gaps of 5 us
  EXPECT_FALSE(given("launch_bound", launches(200, 50000, 5000)));  // work queues up
  EXPECT_FALSE(given("launch_bound", launches(200, 200, 9100)));    // busy for 91%
}

TEST(Advice, SmallKernels) {
  EXPECT_TRUE(given("small_kernels", launches(100, 0, 9500)));
  EXPECT_FALSE(given("small_kernels", launches(99, 0, 9500)));
  EXPECT_EQ(of_rule("small_kernels", launches(100, 0, 9500)).gain, 950000);
  EXPECT_FALSE(given("small_kernels", launches(100, 0, 10000)));
}

// Where the device waits for launches, small kernels are a part of that finding.
TEST(Advice, OneCauseIsOneAdvice) {
  const std::string text = launches(200, 0, 5000);
  EXPECT_FALSE(given("small_kernels", text));
  EXPECT_FALSE(given("low_utilization", text));
  EXPECT_NE(of_rule("launch_bound", text).evidence.find("200 of 200 kernels (100.0%) are shorter than 10.0 µs"),
            std::string::npos);
  const Advice loading = of_rule("data_loading", "thread 1: 0-90000000 step 1, 5-20000005 data next");
  EXPECT_NE(loading.evidence.find("1 call of the data loader took longer than 10.0 ms"), std::string::npos);
}

// A link to the evidence of each rule that found the cause.
TEST(Advice, OneCauseKeepsTheLinksOfAllItsRules) {
  const Advice bound = of_rule("launch_bound", launches(200, 0, 5000));
  EXPECT_EQ(bound.link_view, "timeline");
  ASSERT_EQ(bound.more_links.size(), 1);
  EXPECT_EQ(bound.more_links[0].view, "kernels");
  EXPECT_EQ(std::string(bound.more_links[0].title), "Open in Kernels");
  std::vector<Advice> found(2);
  found[0].id = "exposed_communication";
  found[0].link_view = "timeline";
  found[0].link_title = "Go to the longest call";
  found[1].id = "waiting_in_collectives";
  found[1].link_view = "distributed";
  found[1].more_links = {{"timeline", "Wait", {{"slice", "7"}}}};
  join_causes(found);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].link_view, "distributed");
  ASSERT_EQ(found[0].more_links.size(), 2);
  EXPECT_EQ(std::string(found[0].more_links[0].title), "Wait");
  EXPECT_EQ(std::string(found[0].more_links[1].title), "Go to the longest call");
}

// One call of the host is why the device waits, once for 5 ms and four times for 0.9 ms.
TEST(Advice, WaitsForOneCallAreOneAdvice) {
  const std::string device =
      "\nstream 7: 0-1000000 k, 6000000-7000000 k, 7900000-9000000 k, 9900000-11000000 k, 11900000-13000000 k, 13900000-20000000 "
      "k";
  const std::string one = "thread 1: 0-20000000 step 1, 0-20000000 op f" + device;
  const Advice advice = of_rule("host_gaps", one);
  EXPECT_EQ(advice.gain, 8600000);
  EXPECT_EQ(advice.share, 0.43);
  EXPECT_NE(advice.evidence.find("in 4 gaps shorter than 1.00 ms"), std::string::npos) << advice.evidence;
  EXPECT_FALSE(given("launch_bound", one));
  const std::string two = "thread 1: 0-20000000 step 1, 0-6500000 op f, 6500000-20000000 op g" + device;
  EXPECT_EQ(of_rule("host_gaps", two).gain, 5000000);
  EXPECT_EQ(of_rule("launch_bound", two).gain, 3600000);
}

// A wait of 25 ms is why the step takes 20 ms longer than the others.
TEST(Advice, TheWaitThatMakesAStepSlowIsItsCause) {
  const std::string steps = "thread 1: 0-10000000 step 1, 10000000-20000000 step 2, 20000000-50000000 step 3";
  const std::string waits = steps + ", 20000000-45000000 op slow\nstream 7: 0-20000000 k, 45000000-50000000 k";
  EXPECT_NE(of_rule("host_gaps", waits).evidence.find("Step 3 takes 30.0 ms"), std::string::npos);
  EXPECT_FALSE(given("unbalanced_steps", waits));
  EXPECT_TRUE(given("unbalanced_steps", steps + "\nstream 7: 0-50000000 k"));
}

TEST(Advice, HostGaps) {
  // 5 ms of host work without device work in a step of 20 ms; the data loading of 3 ms is not the host's work.
  const Advice advice = of_rule("host_gaps",
                                "thread 1: 0-20000000 step 1, 1000000-6000000 op slow, 7000000-10000000 data next\nstream 7: "
                                "0-1000000 k, 6000000-7000000 k, 10000000-20000000 k");
  EXPECT_EQ(
      advice.evidence,
      "1 gap of 1.00 ms or longer, in which the host works, took 25.0% of the step; the longest lasts 5.00 ms and begins at "
      "1.00 ms. Most of the host's time in these gaps is in slow 5.00 ms.");
  EXPECT_EQ(advice.brief, "shorten slow on the host");
  EXPECT_EQ(advice.gain, 5000000);
  EXPECT_EQ(advice.share, 0.25);
  EXPECT_EQ(advice.link_title, "Go to the longest gap");
  EXPECT_EQ(advice.link_parameters[0], std::pair(std::string("timeline.range"), std::string("1000000,6000000")));
  EXPECT_FALSE(given("host_gaps", "thread 1: 0-2000000 step 1, 0-600000 op slow"));  // no device at all
}

TEST(Advice, HostOperators) {
  // Its own time: 70 of 100, without the operator inside it.
  const Advice advice = of_rule("host_operators", "thread 1: 0-100 step 1, 0-90 op outer, 10-30 op inner");
  EXPECT_EQ(advice.title, "outer takes the largest part of the host's time");
  EXPECT_EQ(advice.evidence,
            "No device was recorded: the host computes. The largest parts of its own time: outer 70 ns, inner 20 ns, of 100 ns "
            "in all steps.");
  EXPECT_EQ(advice.gain, 70);
  EXPECT_FALSE(given("host_operators", "thread 1: 0-100 step 1, 0-90 op outer\nstream 7: 0-10 k"));
}

TEST(Advice, UnexplainedIdle) {
  // The first work is launched long after the step begins, and nothing of the host is recorded until then.
  const std::string late =
      "thread 1: 0-20000000 step 1, 9000000-9001000 runtime l [corr=1]\nstream 7: 9002000-20000000 k [corr=1]";
  const Advice advice = of_rule("unexplained_idle", late);
  EXPECT_EQ(advice.title, "The device idles, and the recording does not show why");
  EXPECT_EQ(advice.brief, "record after the warm-up, and look at the rest");
  EXPECT_EQ(advice.gain, 9001000);  // 9,002,000 without the call of 1,000
  EXPECT_FALSE(given("unexplained_idle", "thread 1: 0-20000000 step 1\nstream 7: 1-20000000 k"));
}

// Waits of several kinds, none of them long enough for advice of its own.
TEST(Advice, IdleDevice) {
  const std::string text =
      "thread 1: 0-20000000 step 1, 0-1500000 op slow, 1499990-1500000 runtime l [corr=1], 18500000-18500010 runtime l [corr=2]\n"
      "stream 7: 1500000-18000000 k [corr=1], 18600000-20000000 k [corr=2]";
  const Advice advice = of_rule("idle_device", text);
  EXPECT_EQ(advice.evidence,
            "10.5% of the step (2.10 ms per step): 600 µs waiting for launches, 1.50 ms waiting for the host. The "
            "longest stretch lasts 1.50 ms and begins at 0 ns.");
  EXPECT_FALSE(given("idle_device", "thread 1: 0-20000000 step 1\nstream 7: 1900000-20000000 k"));
}

TEST(Advice, ExposedCopies) {
  const Advice advice = of_rule("exposed_copies", "thread 1: 0-100 step 1\nstream 7: 0-80 k, 80-100 memcpy HtoD");
  EXPECT_EQ(advice.gain, 20);
  EXPECT_EQ(advice.link_title, "Go to the longest call");
  EXPECT_FALSE(given("exposed_copies", "thread 1: 0-100 step 1\nstream 7: 0-100 k\nstream 8: 80-100 memcpy HtoD"));
}

TEST(Advice, BeyondMatrixUnits) {
  const std::string host = "words GPU, tensor cores, SM\nthread 1: 0-100 step 1\nstream 7: 0-50 gemm [matrix], ";
  const Advice advice = of_rule("beyond_matrix_units", host + "50-70 elementwise_add, 70-80 other");
  EXPECT_EQ(
      advice.evidence,
      "37.5% of the kernel time is not on tensor cores; elementwise work, copies and concatenations take 25.0%, most of it in "
      "elementwise_add (20 ns).");
  EXPECT_EQ(advice.gain, 20);
  EXPECT_FALSE(given("beyond_matrix_units", host + "50-59 elementwise_add, 70-100 other"));
  EXPECT_FALSE(given("beyond_matrix_units", host + "50-70 elementwise_add [unknown_core]"));
}

TEST(Advice, UnbalancedSteps) {
  EXPECT_FALSE(given("unbalanced_steps", "thread 1: 0-100 step 1, 100-200 step 2, 200-320 step 3"));
  const Advice advice = of_rule("unbalanced_steps", "thread 1: 0-100 step 1, 100-200 step 2, 200-330 step 3");
  EXPECT_EQ(advice.title, "Step 3 is much slower than the others");
  EXPECT_EQ(advice.evidence, "Step 3 takes 130 ns, 1.30 times the median of 3 steps (100 ns).");
}

TEST(Advice, MostSevereFirstAndNoneWhenAllIsWell) {
  const auto advice = advice_for("thread 1: 0-100 step 1, 0-40 data next, 40-52 comm r");
  ASSERT_EQ(advice.size(), 2u);
  EXPECT_EQ(advice[0].id, "data_loading");
  EXPECT_EQ(advice[0].gain, 40);
  EXPECT_EQ(advice[1].id, "exposed_communication");
  EXPECT_EQ(advice[1].gain, 12);
  EXPECT_TRUE(advice_for("thread 1: 0-100 step 1\nstream 7: 0-95 k").empty());
}

TEST(Advice, EveryRuleHasItsCondition) {
  for (const AdviceRule& rule : advice_rules()) {
    EXPECT_FALSE(rule.when.empty()) << rule.id;
    EXPECT_FALSE(rule.judge == nullptr) << rule.id;
  }
}

}  // namespace
}  // namespace sightline::analyses
