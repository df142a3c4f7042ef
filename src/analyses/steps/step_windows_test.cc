// StepWindows: the host's steps stretched over the device's work, the tail cut off, and what represents steps.
#include "analyses/steps/step_windows.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::string text_of(const std::vector<StepWindow>& steps) {
  std::string text;
  for (const StepWindow& step : steps) {
    text += fmt::format("{}{}: {}-{}", text.empty() ? "" : ", ", step.number, step.window.start, step.window.end);
  }
  return text;
}

StepWindows steps_of(std::string_view text) { return step_windows(*text_profile(text)); }

TEST(StepWindows, WithoutDeviceWorkEqualTheHostsSteps) {
  const StepWindows steps = steps_of("thread 1: 0-100 step 3, 100-180 step 4");
  EXPECT_EQ(text_of(steps.kept), "3: 0-100, 4: 100-180");
  EXPECT_EQ(scope_words(steps), "steps 3-4");
}

TEST(StepWindows, LastUntilTheirDeviceWorkIsDone) {
  // k1 of step 1 ends at 130, so step 1 ends and step 2 begins there; k2 ends at 230 > 200.
  const StepWindows steps = steps_of(R"(
    thread 1: 0-100 step 1, 90-95 runtime l [corr=1], 100-200 step 2, 190-195 runtime l [corr=2]
    stream 7: 110-130 k1 [corr=1], 200-230 k2 [corr=2]
  )");
  EXPECT_EQ(text_of(steps.kept), "1: 0-130, 2: 130-230");
  EXPECT_EQ(steps.extent(), (Interval{0, 230}));
}

TEST(StepWindows, BeginAfterDeviceWorkLaunchedBeforeTheFirst) {
  // k0 was launched outside of all steps and ends at 20, before step 1's first device work: step 1 begins at 20.
  // k9, launched outside too, ends at 60, after it: it does not count.
  const StepWindows steps = steps_of(R"(
    thread 1: 0-5 runtime l [corr=10], 10-100 step 1, 30-35 runtime l [corr=1]
    stream 7: 6-20 k0 [corr=10], 50-60 k9
    stream 8: 40-45 k1 [corr=1]
  )");
  EXPECT_EQ(text_of(steps.kept), "1: 20-100");
}

TEST(StepWindows, ACallAcrossTheEdgeBelongsToNoStep) {
  const StepWindows steps = steps_of(R"(
    thread 1: 0-100 step 1, 50-60 runtime l [corr=1]
    thread 2: 95-105 runtime l [corr=2]
    stream 7: 60-70 k [corr=1], 110-130 k [corr=2]
  )");
  EXPECT_EQ(text_of(steps.kept), "1: 0-100");
  EXPECT_EQ(steps.kept[0].device_events, 1);
}

// A pool launches k2 while step 2 lasts, for a range of step 1 that had ended.
TEST(StepWindows, LaterLaunchesOfAnotherThreadBelongToTheRangeThatRequestedThem) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 step 1, 10-20 op copy [id=5], 50-60 runtime l [corr=1], 100-200 step 2, 150-160 runtime l [corr=3], 170-180 runtime l [corr=4]
    thread 2: 110-115 runtime l [corr=2 ext=5]
    stream 7: 60-70 k1 [corr=1], 120-130 k2 [corr=2], 160-170 k3 [corr=3], 180-190 k4 [corr=4]
  )");
  const StepWindows steps = step_windows(*profile);
  EXPECT_EQ(text_of(steps.kept), "1: 0-130, 2: 130-200");
  EXPECT_EQ(request_of(*profile, 1).time, (Interval{10, 20}));
  EXPECT_EQ(step_of(*profile, steps.kept, 1), 0u);
  EXPECT_EQ(step_of(*profile, steps.kept, 2), 1u);
}

TEST(StepWindows, AStepThatTheDeviceOutlivesIsEmpty) {
  // Step 1's work ends at 300, after all of step 2, whose own work ends at 290.
  const StepWindows steps = steps_of(R"(
    thread 1: 0-100 step 1, 50-60 runtime l [corr=1], 100-200 step 2, 150-160 runtime l [corr=2]
    stream 7: 60-300 k [corr=1]
    stream 8: 280-290 k [corr=2]
  )");
  EXPECT_EQ(text_of(steps.kept), "1: 0-300, 2: 300-300");
}

TEST(StepWindows, StepsWithoutDeviceWorkAtTheTailAreCutOff) {
  const StepWindows steps = steps_of(R"(
    thread 1: 0-100 step 1, 10-11 runtime l [corr=1], 100-200 step 2, 200-300 step 3
    stream 7: 20-30 k [corr=1]
  )");
  EXPECT_EQ(text_of(steps.kept), "1: 0-100");
  EXPECT_EQ(text_of(steps.dropped), "2: 100-200, 3: 200-300");
  EXPECT_EQ(scope_words(steps), "step 1");
}

TEST(StepWindows, ADevicesStepsContainTheWorkInThem) {
  // Both kernels were launched at 10, before either step of the device began; each belongs to the step that it runs in.
  auto profile = parse_text_profile(R"(
    thread 1: 0-20 op f, 10-11 runtime l [corr=1]
    stream 7: 100-200 mark run, 110-190 k [corr=1], 200-300 mark run, 210-290 k [corr=1]
  )");
  for (const Row slice : {Row{2}, Row{4}}) {
    profile->steps.number.push_back(static_cast<std::int64_t>(profile->steps.rows()));
    profile->steps.start.push_back(profile->slices.start[slice]);
    profile->steps.duration.push_back(profile->slices.duration[slice]);
    profile->steps.slice.push_back(slice);
  }
  const StepWindows steps = step_windows(*profile);
  EXPECT_EQ(text_of(steps.kept), "0: 100-200, 1: 200-300");
  EXPECT_EQ(steps.kept[0].device_events, 1);
  EXPECT_EQ(steps.kept[1].device_events, 1);
  EXPECT_EQ(step_of(*profile, steps.kept, 0), 0u);
  EXPECT_EQ(step_of(*profile, steps.kept, 1), 1u);
}

TEST(StepWindows, ADevicesStepsContainTheWorkOfTheSameCalls) {
  // Device 1 is ahead: its kernel of the second call begins within the first step of device 0.
  auto profile = parse_text_profile(R"(
    thread 1: 0-20 op f, 10-11 runtime l [corr=1], 30-50 op f, 40-41 runtime l [corr=2]
    stream 7: 100-200 mark run, 110-190 k [corr=1], 200-300 mark run, 210-290 k [corr=2]
    stream 7 of 1: 100-170 k [corr=1], 180-290 k [corr=2]
  )");
  for (const Row slice : {Row{4}, Row{6}}) {
    profile->steps.number.push_back(static_cast<std::int64_t>(profile->steps.rows()));
    profile->steps.start.push_back(profile->slices.start[slice]);
    profile->steps.duration.push_back(profile->slices.duration[slice]);
    profile->steps.slice.push_back(slice);
  }
  const StepWindows steps = step_windows(*profile);
  EXPECT_EQ(text_of(steps.kept), "0: 100-200, 1: 200-300");
  EXPECT_EQ(step_of(*profile, steps.kept, 2), 0u);
  EXPECT_EQ(step_of(*profile, steps.kept, 3), 1u);
  EXPECT_EQ(steps.kept[1].device_events, 2);
}

TEST(StepWindows, AStepInTheMiddleWithoutDeviceWorkStays) {
  const StepWindows steps = steps_of(R"(
    thread 1: 0-100 step 1, 10-11 runtime l [corr=1], 100-200 step 2, 200-300 step 3, 210-211 runtime l [corr=3]
    stream 7: 20-30 k [corr=1], 220-230 k [corr=3]
  )");
  EXPECT_EQ(text_of(steps.kept), "1: 0-100, 2: 100-200, 3: 200-300");
}

// Two steps with 5 and `last` kernels.
StepWindows steps_with_last(int last) {
  std::string host = "0-100 step 1, 100-200 step 2";
  std::string device;
  for (int i = 0; i < 5 + last; ++i) {
    const int at = i < 5 ? 10 + i : 100 + i;
    host += fmt::format(", {}-{} runtime l [corr={}]", at, at, i);
    device += fmt::format("{}{}-{} k [corr={}]", i == 0 ? "" : ", ", at + 1, at + 2, i);
  }
  return steps_of(fmt::format("thread 1: {}\nstream 7: {}", host, device));
}

TEST(StepWindows, ALastStepWithLessThanFourFifthsOfTheWorkIsCutOff) {
  EXPECT_EQ(steps_with_last(4).kept.size(), 2u);  // 4 = 0.8 x 5
  EXPECT_EQ(steps_with_last(3).kept.size(), 1u);  // 3 < 0.8 x 5
}

TEST(StepWindows, OneStepIsNeverCutOff) {
  EXPECT_EQ(text_of(steps_of("thread 1: 0-100 step 1\nstream 7: 20-30 k").kept), "1: 0-100");
}

// A graph is launched outside of all operators: 50-60, and its kernel runs until 1070; a fill that no call launched follows.
TEST(StepWindows, WithoutStepsAllWorkIsStepZero) {
  const StepWindows steps = steps_of(R"(
    thread 1: 0-30 op a, 5-10 runtime l [corr=1], 50-60 runtime g [corr=2], 2000-2010 runtime q
    stream 7: 40-41 k [corr=1], 70-1070 graph [corr=2], 1100-1110 memset z
  )");
  EXPECT_EQ(text_of(steps.kept), "0: 0-1110");
  EXPECT_EQ(steps.kept[0].device_events, 3);
}

TEST(StepWindows, WithoutStepsTheOperatorsExtentIsStepZero) {
  // The annotation does not count; the launch is inside, and its kernel ends at 120.
  const StepWindows steps = steps_of(R"(
    thread 1: 0-200 annotation n, 10-50 op a, 20-30 runtime l [corr=1], 60-90 op b
    stream 7: 100-120 k [corr=1]
  )");
  EXPECT_EQ(text_of(steps.kept), "0: 10-120");
  EXPECT_EQ(steps.source, StepSource::operators);
}

TEST(StepWindows, WithoutOperatorsTheDeviceWorksExtentIsStepZero) {
  const StepWindows steps = steps_of("stream 7: 5-10 a, 20-40 b");
  EXPECT_EQ(text_of(steps.kept), "0: 5-40");
  EXPECT_EQ(steps.source, StepSource::device_work);
}

TEST(StepWindows, WithoutEitherTheRecordingIsStepZero) {
  const StepWindows steps = steps_of("thread 1: 5-100 annotation n");
  EXPECT_EQ(text_of(steps.kept), "0: 5-100");
  EXPECT_EQ(steps.source, StepSource::everything);
}

}  // namespace
}  // namespace sightline::analyses
