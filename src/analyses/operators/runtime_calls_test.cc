// The view of runtime calls: one case by hand, calls inside calls, and sums that the file states.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

TEST(RuntimeCalls, EveryColumn) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100 step 1, 10-30 runtime launch [corr=1], 14-20 runtime driver [corr=2], 40-44 runtime launch [corr=3], 100-160 step 2, 110-150 runtime synchronize
    stream 7: 30-40 a [corr=1], 40-50 b [corr=2], 50-60 c [corr=3]
  )"),
                                 "runtime_calls");
  // launch: 20 + 4, of which 6 in driver; 64 in all, each instant once.
  EXPECT_EQ(rows_text(report, "calls", {"name", "calls", "total", "self", "share", "mean", "max", "min", "launched"}),
            "synchronize 1 40 40 0.625 40 40 40 0\n"
            "launch 2 24 18 0.28125 12 20 4 2\n"
            "driver 1 6 6 0.09375 6 6 6 1\n");
  EXPECT_EQ(report.scope, "4 calls by 3 names");
}

TEST(RuntimeCalls, OfOneStep) {
  const ProfilePtr profile =
      text_profile("thread 1: 0-100 step 1, 10-30 runtime a, 100-160 step 2, 110-150 runtime b\nstream 7: 20-21 k, 120-121 k");
  EXPECT_EQ(rows_text(run_view(profile, "runtime_calls", {{"step", "1"}}), "calls", {"name", "share"}), "a 1\n");
  EXPECT_EQ(rows_text(run_view(profile, "runtime_calls", {{"search", "B"}}), "calls", {"name"}), "b\n");
}

TEST(RuntimeCalls, OnlySumsStatedByTheFile) {
  const ProfilePtr profile = text_profile("reported runtime: launch node 4 100 10 40, open acl 1 300 300 300");
  const Report report = run_view(profile, "runtime_calls");
  EXPECT_EQ(rows_text(report, "calls", {"name", "layer", "calls", "total", "share", "mean", "max", "min"}),
            "open acl 1 300 0.75 300 300 300\nlaunch node 4 100 0.25 25 40 10\n");
  EXPECT_EQ(report.notes.front().level, Note::Level::warning);
}

TEST(RuntimeCalls, AreUnavailableWithoutAny) {
  EXPECT_TRUE(find_analysis("runtime_calls")->unavailable(*text_profile("thread 1: 0-10 op a")).has_value());
  EXPECT_TRUE(find_analysis("runtime_calls")->unavailable(*text_profile("reported kernel: a b 1 1 1 1")).has_value());
}

}  // namespace
}  // namespace sightline::analyses
