// Causes of idle time, worked by hand; and that they sum to the idle time.
#include "analyses/idle/idle_causes.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <map>

#include "analyses/steps/step_windows.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// "10-20 synchronization waitForIt; ..." of each part.
std::string causes(const ProfilePtr& profile) {
  IntervalSet steps;
  for (const StepWindow& step : step_windows(*profile).kept) steps.push_back(step.window);
  const IdleTimes times = find_idle_causes(*profile, merge(steps), work_by_start(*profile));
  std::string text;
  for (const IdlePart& part : times.parts) {
    const std::string name = part.slice == kNoRow ? "" : " " + std::string(profile->text(profile->slices.name[part.slice]));
    text +=
        fmt::format("{}{}-{} {}{}", text.empty() ? "" : "; ", part.time.start, part.time.end, info_of(part.cause).title, name);
  }
  Time gaps = 0, parts = 0;
  for (const IdleGap& gap : times.gaps) gaps += gap.time.length();
  for (const IdlePart& part : times.parts) parts += part.time.length();
  EXPECT_EQ(gaps, parts);
  return text;
}

// The step is 0-1000. The device works 100-200 and 600-700. In the first gap, the host is in the operator until it launches
// at 50. Between them, it waits until 300, is in a Python function until 400, fetches a batch until 450, is in the operator until
// 500, and in the launching call until 550; the kernel starts 50 later. After the last kernel nothing is recorded but the step.
TEST(IdleCauses, OfAStepByHand) {
  EXPECT_EQ(
      causes(text_profile(R"(
    thread 1: 0-1000 step 1, 0-90 op aten::a, 50-80 runtime launch [corr=1], 150-300 runtime deviceSynchronize, 300-400 python f.py(3): f, 400-450 data next, 450-560 op aten::b, 500-550 runtime launch [corr=2]
    stream 7: 100-200 a [corr=1], 600-700 b [corr=2]
  )")),
      "0-50 Operator aten::a; 50-80 Launching call launch; 80-100 Launch latency launch; 200-300 Synchronization "
      "deviceSynchronize; 300-400 Python f.py(3): f; 400-450 Data loading next; 450-500 Operator aten::b; 500-550 Launching "
      "call launch; 550-600 Launch latency launch; 700-1000 Outside of recorded code");
}

// b was launched while a ran. Both streams of the device count, each device alone.
TEST(IdleCauses, BetweenQueuedWorkOnAnyStream) {
  EXPECT_EQ(causes(text_profile(R"(
    thread 1: 0-300 step 1, 0-10 runtime launch [corr=1], 20-30 runtime launch [corr=2], 40-50 runtime launch [corr=3]
    stream 7: 10-100 a [corr=1], 150-300 b [corr=2]
    stream 8: 110-120 c [corr=3]
  )")),
            "0-10 Launching call launch; 100-110 Between queued work c; 120-150 Between queued work b");
}

TEST(IdleCauses, TheProfilerComesFirst) {
  EXPECT_EQ(causes(text_profile(R"(
    thread 1: 0-300 step 1, 0-10 runtime launch [corr=1], 100-200 op aten::b, 190-200 runtime launch [corr=2]
    thread 2: 120-150 overhead flush
    stream 7: 10-100 a [corr=1], 200-300 b [corr=2]
  )")),
            "0-10 Launching call launch; 100-120 Operator aten::b; 120-150 Profiler flush; 150-190 Operator aten::b; 190-200 "
            "Launching call launch");
}

// The thread that launches is in no range; the thread that it works for is.
TEST(IdleCauses, AThreadWorksForAnother) {
  EXPECT_EQ(
      causes(text_profile(R"(
    thread 1: 0-300 step 1, 0-10 runtime launch [corr=1], 90-180 op aten::main
    thread 2: 180-200 op AddmmBackward, 190-200 runtime launch [corr=2]
    stream 7: 10-100 a [corr=1], 200-300 b [corr=2]
  )")),
      "0-10 Launching call launch; 100-180 Operator aten::main; 180-190 Operator AddmmBackward; 190-200 Launching call launch");
}

TEST(IdleCauses, WithoutTheLaunchingCall) {
  EXPECT_EQ(causes(text_profile("stream 7: 10-100 a, 150-300 b")), "100-150 No launch recorded");
}

// The first work begins 2 ms after its launch, although nothing ran before: the device may have been busy with earlier work. Up
// to 1 ms is a latency.
TEST(IdleCauses, WorkFromBeforeTheRecording) {
  EXPECT_EQ(causes(text_profile(R"(
    thread 1: 0-3000000 step 1, 0-10 runtime launch [corr=1]
    stream 7: 2000010-3000000 a [corr=1]
  )")),
            "0-10 Launching call launch; 10-2000010 Work before the recording launch");
  EXPECT_EQ(causes(text_profile(R"(
    thread 1: 0-1000020 step 1, 0-10 runtime launch [corr=1]
    stream 7: 1000010-1000020 a [corr=1]
  )")),
            "0-10 Launching call launch; 10-1000010 Launch latency launch");
}

// The second launch of a graph has no recorded work: from its call on, the device may have been busy.
TEST(IdleCauses, AGraphThatWasNotRecorded) {
  EXPECT_EQ(causes(text_profile(R"(
    thread 1: 0-300 step 1, 0-10 runtime launch [corr=1], 120-130 runtime graphLaunch [corr=9], 240-250 runtime launch [corr=2]
    stream 7: 10-100 a [corr=1], 250-300 b [corr=2]
    row graph_launches [launch=1 works=0]
  )")),
            "0-10 Launching call launch; 100-120 Outside of recorded code; 120-250 Graph that was not recorded graphLaunch");
}

TEST(IdleCauses, AnEventOfAnotherStream) {
  EXPECT_EQ(causes(text_profile(R"(
    thread 1: 0-300 step 1, 0-10 runtime launch [corr=1], 20-30 runtime launch [corr=2]
    stream 7: 10-100 a [corr=1]
    stream 8: 90-140 sync wait, 150-300 b [corr=2]
  )")),
            "0-10 Launching call launch; 100-140 Waiting for an event wait; 140-150 Between queued work b");
}

}  // namespace
}  // namespace sightline::analyses
