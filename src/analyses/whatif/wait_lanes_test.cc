// Lanes of what the steps waited for, worked by hand.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "analyses/derived_lanes.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// "Critical path: 0-50 Operators on the host aten::a; ..." of each lane.
std::vector<std::string> lanes_of(const ProfilePtr& profile) {
  const auto lanes = wait_lanes(profile);
  const Profile& p = *lanes->profile();
  std::vector<std::string> texts;
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    texts.push_back(lanes->titles()[lane] + ":");
    for (Row slice = p.lanes.first[lane]; slice < p.lanes.last[lane]; ++slice) {
      const Row to = lanes->leads_to(slice);
      EXPECT_EQ(p.text(p.slices.name[slice]), to == kNoRow ? "" : profile->text(profile->slices.name[to]));
      texts.back() += fmt::format(" {}-{} {} {};", p.slices.start[slice], p.end_of(slice),
                                  lanes->classes()[lanes->class_of(slice)].title, p.text(p.slices.name[slice]));
    }
  }
  return texts;
}

// The step is 0-200. The host launches in the operator at 50, and the device works 100-200, which ends the step: on the path are
// the operator until 50, the call, the latency from 80 to 100, and the kernel. The device is idle before 100 for the same causes.
TEST(WaitLanes, OfAStepByHand) {
  EXPECT_EQ(lanes_of(text_profile(R"(
    thread 1: 0-200 step 1, 0-90 op aten::a, 50-80 runtime launch [corr=1]
    stream 7: 100-200 gemm [corr=1]
  )")),
            (std::vector<std::string>{
                "Critical path: 0-50 Operators on the host aten::a; 50-80 Runtime calls launch; 80-100 Launch latency gemm; "
                "100-200 Kernels gemm;",
                "Idle causes, device 0: 0-50 Operator aten::a; 50-80 Launching call launch; 80-100 Launch latency launch;"}));
}

TEST(WaitLanes, NothingToWaitForHasNone) {
  const ProfilePtr profile = text_profile("thread 1: 0-200 annotation a");
  EXPECT_FALSE(has_wait_lanes(*profile));
  EXPECT_TRUE(lanes_of(profile).empty());
}

}  // namespace
}  // namespace sightline::analyses
