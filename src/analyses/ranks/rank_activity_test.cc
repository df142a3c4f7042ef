// What a rank did at each instant, by hand; and that joining runs to pixels loses no time.
#include "analyses/ranks/rank_activity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::string runs_text(const RankActivity& activity) {
  std::string text;
  Time at = activity.start;
  for (std::size_t i = 0; i < activity.runs(); ++i) {
    text +=
        std::to_string(at) + "-" + std::to_string(activity.end[i]) + " " + std::string(rank_does_key(does_of(activity.code[i])));
    if (activity.code[i] >= kOverlapped) text += " overlapped";
    const int share = (activity.share[i] * 100 + 127) / 255;
    if (activity.code[i] != 0 && share < 100) text += " " + std::to_string(share) + "%";
    text += "\n";
    at = activity.end[i];
  }
  return text;
}

// Forward 20-40, a copy 50-60, backward 60-90; a collective 80-120; optimizer 130-140.
const char* const kStep = R"(
  thread 1: 0-30 op mm, 5-8 runtime l [corr=1], 31-34 runtime c [corr=5], 100-150 optimizer Adam, 105-108 runtime l [corr=3], 35-38 runtime n [corr=4]
  thread 2: 40-70 op "autograd::engine::evaluate_function: MmBackward0", 45-48 runtime l [corr=2]
  stream 7: 20-40 gemm [corr=1], 50-60 memcpy HtoD [corr=5], 60-90 gemm [corr=2], 130-140 adam [corr=3]
  stream 13: 80-120 collective ar [corr=4 coll=all_reduce]
)";

TEST(RankActivity, RunsFollowOneAnotherWithoutGaps) {
  EXPECT_EQ(runs_text(activity_of(*text_profile(kStep))),
            "20-40 forward\n"
            "40-50 idle\n"
            "50-60 copying\n"
            "60-80 backward\n"
            "80-90 backward overlapped\n"
            "90-120 communicating\n"
            "120-130 idle\n"
            "130-140 optimizing\n");
}

TEST(RankActivity, WithoutABackwardPassWorkIsComputing) {
  EXPECT_EQ(runs_text(activity_of(*text_profile("thread 1: 0-30 op mm, 5-8 runtime l [corr=1]\nstream 7: 20-40 gemm [corr=1]"))),
            "20-40 computing\n");
}

TEST(RankActivity, WithoutADeviceTheHostComputes) {
  EXPECT_EQ(runs_text(activity_of(*text_profile("thread 1: 0-30 op mm\nthread 2: 20-50 comm c [coll=all_reduce]"))),
            "0-20 computing\n"
            "20-30 computing overlapped\n"
            "30-50 communicating\n");
}

TEST(RankActivity, APixelShowsWhatItDoesMost) {
  // 32-64: forward 8, idle 10, copying 10, backward 4: computing 12 of 32 is most, and forward most of it; 22 of 32 are busy.
  // Shares are kept in 255ths.
  // 64-96: backward alone 16, overlapped 10, communicating 6.
  EXPECT_EQ(runs_text(joined(activity_of(*text_profile(kStep)), {0, 160}, 32)),
            "20-32 forward\n"
            "32-64 forward 69%\n"
            "64-96 backward\n"
            "96-128 communicating 75%\n"
            "128-140 optimizing 84%\n");
}

TEST(RankActivity, AWindowCutsRuns) {
  EXPECT_EQ(runs_text(joined(activity_of(*text_profile(kStep)), {85, 100}, 1)),
            "85-90 backward overlapped\n"
            "90-100 communicating\n");
  EXPECT_EQ(joined(activity_of(*text_profile(kStep)), {1000, 2000}, 1).runs(), 0u);
}

// Many random runs; the sum over pixels of share x length is the busy time, to the rounding of shares.
TEST(RankActivity, JoiningKeepsTheBusyTimeAndTheBound) {
  std::mt19937 random(7);
  RankActivity exact{.start = 1000};
  Time at = exact.start, busy = 0;
  for (int i = 0; i < 50'000; ++i) {
    const auto code = static_cast<std::uint8_t>(i % 2 == 0 ? random() % 7 + 1 : 0);
    const Time length = 1 + static_cast<Time>(random() % 2000);
    at += length;
    if (code != 0) busy += length;
    exact.end.push_back(at);
    exact.code.push_back(code);
    exact.share.push_back(code == 0 ? 0 : 255);
  }
  const RankActivity overview = overview_of(exact);
  EXPECT_LE(overview.runs(), kMostRuns);
  EXPECT_EQ(overview.extent(), exact.extent());
  double kept = 0;
  Time from = overview.start;
  for (std::size_t i = 0; i < overview.runs(); ++i) {
    kept += overview.share[i] / 255.0 * static_cast<double>(overview.end[i] - from);
    from = overview.end[i];
  }
  EXPECT_NEAR(kept / static_cast<double>(busy), 1, 0.005);
  EXPECT_LE(held_bytes(overview), static_cast<std::int64_t>(kMostRuns) * 20);
  // Looking finer than the overview shows the overview.
  const RankActivity fine = joined(overview, {exact.start, exact.start + 4 * overview.pixel}, 1);
  EXPECT_EQ(fine.pixel, overview.pixel);
}

}  // namespace
}  // namespace sightline::analyses
