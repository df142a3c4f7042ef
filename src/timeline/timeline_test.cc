// Timeline: every slice stands in exactly one row, overflow lanes below their lane.
#include "timeline/timeline.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/text_profile.h"

namespace sightline {
namespace {

TEST(Timeline, EverySliceStandsInOneRowOfItsLane) {
  // Thread 1 nests two deep; on stream 7 relu overlaps gemm and goes to an overflow lane.
  const ProfilePtr profile = text_profile(
      "thread 1: 0-100 op outer, 10-30 op inner, 40-50 op inner, 45-48 runtime call\n"
      "stream 7: 0-10 gemm, 20-30 gemm\n"
      "stream 7+: 5-15 relu\n");
  const Timeline timeline(profile, 2);
  ASSERT_EQ(timeline.lanes().size(), 2u);
  EXPECT_EQ(timeline.lanes()[0].rows.size(), 3u);
  EXPECT_EQ(timeline.lanes()[0].start, 0);
  EXPECT_EQ(timeline.lanes()[0].end, 100);
  EXPECT_EQ(timeline.lanes()[0].slices, 4u);
  EXPECT_EQ(timeline.lanes()[1].rows.size(), 2u);  // the lane's own row, and that of its overflow lane
  std::set<Row> seen;
  for (const DrawnLane& lane : timeline.lanes()) {
    for (const std::uint32_t row : lane.rows) {
      std::vector<Mark> marks;
      timeline.query(row, {.start = 0, .end = 1000, .pixel = 1}, marks);
      for (const Mark& mark : marks) {
        EXPECT_EQ(mark.count, 1u);
        EXPECT_TRUE(seen.insert(mark.longest).second);
      }
    }
  }
  EXPECT_EQ(seen.size(), profile->slices.rows());
}

}  // namespace
}  // namespace sightline
