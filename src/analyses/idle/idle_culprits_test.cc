// What caused idle time, worked by hand; and that a choice from all steps is what explaining the chosen step alone gives.
#include "analyses/idle/idle_culprits.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "analyses/steps/step_windows.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

const IdleChoice kAll{.windows = {}, .device = {}, .least = 0};

// "0-50 Operator aten::a in aten::a at train.py(1): f; ..." of each part.
std::string explained(const Profile& profile, const ExplainedIdle& idle, const IdleChoice& choice) {
  std::string text;
  each_gap(idle, choice, [&](const ExplainedGap& gap) {
    Time time = 0;
    for (std::size_t i = 0; i < gap.parts.size(); ++i) {
      const IdlePart& part = gap.parts[i];
      const Culprit& culprit = (*idle.culprits)[gap.culprits[i]];
      EXPECT_EQ(culprit.cause, part.cause);
      time += part.time.length();
      text += fmt::format("{}{}-{} {}", text.empty() ? "" : "; ", part.time.start, part.time.end, info_of(part.cause).title);
      if (culprit.name != StringId::none) text += fmt::format(" {}", profile.text(culprit.name));
      if (culprit.operator_name != StringId::none) text += fmt::format(" in {}", profile.text(culprit.operator_name));
      if (!culprit.place.empty()) text += fmt::format(" at {}", culprit.place);
    }
    EXPECT_EQ(time, gap.gap.time.length());
  });
  return text;
}

std::vector<IdleGap> gaps(const ExplainedIdle& idle, const IdleChoice& choice) {
  std::vector<IdleGap> found;
  each_gap(idle, choice, [&](const ExplainedGap& gap) { found.push_back(gap.gap); });
  return found;
}

// The two parts in the program's function train.py(1) have it as their place, although a library's function is nearer; what is in
// no function has none. Loading is named by its range.
TEST(IdleCulprits, ByHand) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-1000 step 1, 0-90 op aten::a, 50-80 runtime launch [corr=1], 300-600 python train.py(1): f, 310-590 python /usr/lib/python3.11/site-packages/torch/x.py(7): g, 400-450 data next, 460-560 op aten::b, 500-550 runtime launch [corr=2]
    stream 7: 100-300 a [corr=1], 600-1000 b [corr=2]
  )");
  EXPECT_EQ(explained(*profile, *explained_idle(profile), kAll),
            "0-50 Operator aten::a in aten::a; 50-80 Launching call launch in aten::a; 80-100 Launch latency launch in aten::a; "
            "300-310 Python train.py(1): f at train.py(1): f; "
            "310-400 Python /usr/lib/python3.11/site-packages/torch/x.py(7): g at train.py(1): f; "
            "400-450 Data loading next at train.py(1): f; "
            "450-460 Python /usr/lib/python3.11/site-packages/torch/x.py(7): g at train.py(1): f; "
            "460-500 Operator aten::b in aten::b at train.py(1): f; 500-550 Launching call launch in aten::b at train.py(1): f; "
            "550-600 Launch latency launch in aten::b at train.py(1): f");
}

// Three steps and two devices. A gap of device 0 extends over the border of steps 1 and 2; the first work of step 3 begins 3 ms
// after its launch, but work is recorded before it.
constexpr const char* kSteps = R"(
    thread 1: 0-1000 step 1, 1000-2000 step 2, 2000-6000000 step 3, 0-10 runtime launch [corr=1], 20-30 runtime launch [corr=2], 1100-1150 runtime launch [corr=3], 1200-1250 runtime launch [corr=4], 2000-2010 runtime launch [corr=5], 2020-2030 runtime launch [corr=6]
    stream 7: 100-900 a [corr=1], 1200-1900 b [corr=3], 3000000-5000000 c [corr=5]
    stream 8 of 1: 200-300 a [corr=2], 1300-1800 b [corr=4], 2500-2600 c [corr=6]
)";

TEST(IdleCulprits, AChosenStepAndDevice) {
  const ProfilePtr profile = text_profile(kSteps);
  const auto all = explained_idle(profile);
  const std::shared_ptr<const StepWindows> steps = steps_of(profile);
  const auto& kept = steps->kept;
  ASSERT_EQ(kept.size(), 3u);
  for (const StepWindow& step : kept) {
    const IntervalSet windows{step.window};
    const ExplainedIdle alone = explain_idle(profile, windows);
    EXPECT_FALSE(alone.times.parts.empty());
    EXPECT_EQ(explained(*profile, *all, {.windows = windows, .device = {}}), explained(*profile, alone, kAll)) << step.number;
  }
  Time of_each = 0, of_both = 0;
  for (const std::int64_t device : {0, 1}) {
    for (const IdleGap& gap : gaps(*all, {.windows = {}, .device = device})) {
      EXPECT_EQ(gap.device, device);
      of_each += gap.time.length();
    }
  }
  for (const IdleGap& gap : all->times.gaps) of_both += gap.time.length();
  EXPECT_EQ(of_each, of_both);
}

TEST(IdleCulprits, WorkOfAnEarlierStepIsWorkBefore) {
  const ProfilePtr profile = text_profile(kSteps);
  const IntervalSet third{steps_of(profile)->kept.back().window};
  EXPECT_EQ(explained(*profile, explain_idle(profile, third), kAll).find("Work before the recording"), std::string::npos);
}

TEST(IdleCulprits, ShorterGapsAreLeftOut) {
  const ProfilePtr profile = text_profile(kSteps);
  const auto all = explained_idle(profile);
  const std::vector<IdleGap> long_ones = gaps(*all, {.windows = {}, .device = {}, .least = 1000});
  EXPECT_LT(long_ones.size(), all->times.gaps.size());
  ASSERT_FALSE(long_ones.empty());
  for (const IdleGap& gap : long_ones) EXPECT_GE(gap.time.length(), 1000);
}

}  // namespace
}  // namespace sightline::analyses
