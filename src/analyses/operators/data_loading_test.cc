// Data loading by hand.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// The loader takes 30 of step 1, of which decode takes 10; the device works during 5 of them.
constexpr const char* kRun = R"(
  device 0: chip
  thread 1: 0-100 step 1, 0-30 data next, 10-20 data decode, 40-60 op mm, 100-200 step 2, 100-110 data next
  thread 2: 0-90 data read
  stream 1: 25-28 kernel k, 28-30 kernel k, 40-90 kernel k
)";

TEST(DataLoading, StepsWaitForTheirThread) {
  const Report report = run_view(text_profile(kRun), "data_loading");
  EXPECT_EQ(rows_text(report, "steps", {"step", "length", "waited", "share", "idle"}),
            "1 100 30 0.3 25\n"
            "2 100 10 0.1 10\n");
  EXPECT_EQ(rows_text(report, "stages", {"name", "thread", "calls", "total", "self", "mean", "max"}),
            "read another thread 1 90 90 90 90\n"
            "next runs the steps 2 40 30 20 30\n"
            "decode runs the steps 1 10 10 10 10\n");
  EXPECT_TRUE(report.notes.empty());
}

TEST(DataLoading, OneStepAlone) {
  const Report report = run_view(text_profile(kRun), "data_loading", {{"step", "2"}});
  EXPECT_EQ(rows_text(report, "steps", {"step", "waited"}), "2 10\n");
  EXPECT_EQ(rows_text(report, "stages", {"name", "calls", "self"}), "next 1 10\n");
}

TEST(DataLoading, WithoutDeviceWorkItIsUnknownWhetherDevicesIdled) {
  const Report report = run_view(text_profile("thread 1: 0-100 step 1, 0-30 op mm\nthread 2: 0-40 data next"), "data_loading");
  EXPECT_EQ(rows_text(report, "steps", {"step", "waited", "idle"}), "1 0 -\n");
  ASSERT_EQ(report.notes.size(), 1u);
}

}  // namespace
}  // namespace sightline::analyses
