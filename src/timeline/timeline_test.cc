// Timeline: every slice is in exactly one row, overflow lanes below their lane.
#include "timeline/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "tests/support/random_lanes.h"
#include "tests/support/text_profile.h"

namespace sightline::timeline {

using namespace tests;
namespace {

TEST(Timeline, EverySliceIsInOneRowOfItsLane) {
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

constexpr SliceKind kHostKinds[] = {SliceKind::op, SliceKind::python, SliceKind::module, SliceKind::step, SliceKind::annotation};

TEST(Timeline, EverySliceIsInOneRowAndNoTwoOverlapOnRandomProfiles) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    const ProfilePtr profile = random_lanes(random, 60, kHostKinds);
    const Slices& s = profile->slices;
    const Timeline timeline(profile, 1 + round % 3);
    std::vector<int> seen(s.rows(), 0);
    const std::vector<DrawnLaneSource> sources = drawn_lanes(*profile);
    ASSERT_EQ(timeline.lanes().size(), sources.size());
    for (const DrawnLane& lane : timeline.lanes()) {
      EXPECT_EQ(&lane, &timeline.lanes()[lane.lane]);
      EXPECT_EQ(lane.source, sources[lane.lane].lanes[0]);
      EXPECT_EQ(lane.part, sources[lane.lane].part);
      Time start = std::numeric_limits<Time>::max();
      Time end = std::numeric_limits<Time>::min();
      std::uint64_t slices = 0;
      for (std::size_t row = 0; row < lane.rows.size(); ++row) {
        Row before = kNoRow;
        for (const Row i : timeline.slices_of(lane.rows[row])) {
          ++seen[i];
          ++slices;
          start = std::min(start, s.start[i]);
          end = std::max(end, profile->end_of(i));
          const Row main = profile->lanes.overflow_of[s.lane[i]] == kNoRow ? s.lane[i] : profile->lanes.overflow_of[s.lane[i]];
          EXPECT_EQ(lane.source, main);
          EXPECT_EQ(timeline.place_of(i).lane, lane.lane);
          EXPECT_EQ(timeline.place_of(i).row, row);
          EXPECT_TRUE(sources[lane.lane].holds(*profile, i));
          const bool frame = s.kind[i] == SliceKind::python || s.kind[i] == SliceKind::module;
          EXPECT_EQ(lane.part == LanePart::python, frame);
          EXPECT_TRUE(before == kNoRow || profile->end_of(before) <= s.start[i]);
          before = i;
        }
        EXPECT_NE(before, kNoRow) << "an empty row";
      }
      EXPECT_EQ(lane.slices, slices);
      EXPECT_EQ(lane.start, start);
      EXPECT_EQ(lane.end, end);
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(s.rows()));
  }
}

TEST(Timeline, AStepThatOverlapsAFrameKeepsItsRow) {
  // The frame of profiler.step() ends inside the step that it begins: the reader moves the step, and the slices in it, to an
  // overflow lane.
  // As drawn, the ranges nest among themselves, and the frames are in a separate lane.
  const ProfilePtr profile = text_profile(
      "thread 1: 0-100 python main, 5-15 python step\n"
      "thread 1+: 10-90 step 5, 20-30 op mm, 22-25 runtime launch\n");
  const Timeline timeline(profile, 1);
  ASSERT_EQ(timeline.lanes().size(), 2u);
  EXPECT_EQ(timeline.lanes()[0].part, LanePart::ranges);
  EXPECT_EQ(timeline.lanes()[1].part, LanePart::python);
  std::vector<int> rows;
  for (Row i = 0; i < profile->slices.rows(); ++i) rows.push_back(timeline.place_of(i).row);
  EXPECT_EQ(rows, (std::vector<int>{0, 1, 0, 1, 2}));  // main, step(), then the step, mm, launch
}

// A kept timeline gives the same answers as the one that was built.
TEST(Timeline, ComesBackFromItsSections) {
  std::mt19937_64 random(5);
  const SliceKind kinds[] = {SliceKind::annotation, SliceKind::python};
  for (const std::size_t most : {1, 50, 4000}) {
    const ProfilePtr profile = random_lanes(random, most, kinds);
    const auto built = std::make_shared<const Timeline>(profile, 2);
    Sections sections;
    Timeline::keep(built, sections);
    const std::shared_ptr<const Timeline> kept = Timeline::kept(profile, sections);
    ASSERT_NE(kept, nullptr);
    ASSERT_EQ(kept->lanes().size(), built->lanes().size());
    for (std::size_t i = 0; i < built->lanes().size(); ++i) {
      const DrawnLane &a = built->lanes()[i], &b = kept->lanes()[i];
      EXPECT_EQ(std::tie(a.lane, a.source, a.part, a.start, a.end, a.slices, a.rows),
                std::tie(b.lane, b.source, b.part, b.start, b.end, b.slices, b.rows));
      for (const std::uint32_t row : a.rows) {
        EXPECT_TRUE(std::ranges::equal(built->slices_of(row), kept->slices_of(row)));
        for (const Time pixel : {1, 4, 32}) {
          std::vector<Mark> of_built, of_kept;
          built->query(row, {.start = 0, .end = 256, .pixel = pixel}, of_built);
          kept->query(row, {.start = 0, .end = 256, .pixel = pixel}, of_kept);
          EXPECT_EQ(of_built, of_kept);
        }
      }
    }
    for (Row i = 0; i < profile->slices.rows(); ++i) {
      EXPECT_EQ(built->place_of(i).lane, kept->place_of(i).lane);
      EXPECT_EQ(built->place_of(i).row, kept->place_of(i).row);
    }
  }
}

TEST(Timeline, IsNotMadeFromSectionsOfAnotherProfile) {
  const ProfilePtr one = text_profile("thread 1: 0-100 op a, 10-20 op b"), other = text_profile("thread 1: 0-100 op a");
  Sections sections;
  EXPECT_EQ(Timeline::kept(one, sections), nullptr);
  Timeline::keep(std::make_shared<const Timeline>(one, 1), sections);
  EXPECT_NE(Timeline::kept(one, sections), nullptr);
  EXPECT_EQ(Timeline::kept(other, sections), nullptr);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    Sections without = sections;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(Timeline::kept(one, without), nullptr) << sections[i].name;
  }
}

TEST(RowLayout, SlicesBeyondTheLastPlaceShareIt) {
  RowLayout layout;
  std::uint16_t last = 0;
  for (Time i = 0; i < 70'000; ++i) last = layout.place(0, 1'000'000 - i);  // nested 70,000 deep
  EXPECT_EQ(last, 65535);
  EXPECT_EQ(layout.rows().size(), 65536u);
  EXPECT_EQ(layout.rows()[last], 65535);
}

}  // namespace
}  // namespace sightline::timeline
