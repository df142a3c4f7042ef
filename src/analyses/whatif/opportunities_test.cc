// Opportunities: each pattern on a small recording, worked by hand.
#include "analyses/whatif/opportunities.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// After the collective of 30,000, `beside` waits for nothing but its launch, and `after` for the collective (on its stream).
ProfilePtr collective_before(int after_end) {
  return text_profile(fmt::format(R"(
    thread 1: 0-100000 step 1, 200-300 runtime launch [corr=4], 1000-2000 runtime launch [corr=1], 3000-4000 runtime launch [corr=2], 5000-6000 runtime launch [corr=3]
    stream 7: 10000-40000 collective r [corr=1], 40000-{} after [corr=2]
    stream 8: 9200-9300 x [corr=4], 90000-100000 beside [corr=3]
  )",
                                  after_end));
}

TEST(Opportunities, ACollectiveWithIndependentWork) {
  const Report report = run_view(collective_before(125'000), "opportunities", {});
  // Hidden: `after` begins as long after its launch as work usually does, at 12,000, and ends at 97,000. The host ends the step
  // at 100,000.
  EXPECT_EQ(rows_text(report, "collectives", {"name", "count", "time", "amount", "gain"}), "r 1 30000 10000 0.2\n");
}

TEST(Opportunities, WithoutAGainAreLeftOut) {
  const Report report = run_view(collective_before(60'000), "opportunities", {});
  EXPECT_EQ(rows_text(report, "collectives", {"name"}), "");  // the host ends the step at 100,000 either way
  const auto panel =
      std::find_if(report.panels.begin(), report.panels.end(), [](const Panel& one) { return one.id == "collectives"; });
  ASSERT_NE(panel, report.panels.end());
  EXPECT_EQ(std::string(panel->scope), "1 row is left out that would gain less than 0.05% of the step");
  EXPECT_EQ(std::string(panel->empty), "None that was found would gain 0.05% of the step.");
}

// Without the copy, `big` begins as long after its launch as the copy did, 9,000: at 12,000 instead of 30,000. The step ends
// 18,000 of 80,000 earlier.
TEST(Opportunities, CopiesSmallKernelsAndLayouts) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-30000 step 1, 1000-2000 runtime launch [corr=1], 3000-4000 runtime launch [corr=2], 5000-6000 runtime launch [corr=3]
    stream 7: 10000-30000 memcpy DtoD [corr=1], 30000-75000 big [corr=2], 75000-80000 nchwToNhwcKernel [corr=3]
  )");
  const Report report = run_view(profile, "opportunities", {});
  EXPECT_EQ(rows_text(report, "copies", {"name", "count", "time", "gain"}), "DtoD 1 20000 0.225\n");
  EXPECT_EQ(rows_text(report, "small", {"name", "count", "time", "gain"}), "nchwToNhwcKernel 1 5000 0.0625\n");
  EXPECT_EQ(rows_text(report, "layouts", {"name", "change"}), "nchwToNhwcKernel kernel:\"nchwToNhwcKernel\" free\n");
  EXPECT_EQ(rows_text(report, "chains", {"name"}), "");
}

}  // namespace
}  // namespace sightline::analyses
