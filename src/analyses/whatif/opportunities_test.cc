// Opportunities: each pattern on a small recording, worked by hand.
#include "analyses/whatif/opportunities.h"

#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// After the collective of 30,000, `beside` waits for nothing but its launch, and `after` for the collective (on its stream).
TEST(Opportunities, ACollectiveWithIndependentWork) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100000 step 1, 1000-2000 runtime launch [corr=1], 3000-4000 runtime launch [corr=2], 5000-6000 runtime launch [corr=3]
    stream 7: 10000-40000 collective r [corr=1], 40000-60000 after [corr=2]
    stream 8: 90000-100000 beside [corr=3]
  )");
  const Report report = run_view(profile, "opportunities", {});
  // Hidden: `after` begins when the collective does, at 10,000. The host ends the step at 100,000 either way.
  EXPECT_EQ(rows_text(report, "collectives", {"name", "count", "time", "amount", "gain"}), "r 1 30000 10000 0\n");
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
