// The call tree: paths over threads, which ranges become rows, the limit on rows, and call stacks.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// Two calls of mm on one thread, one of them inside conv; relu on another thread. Frames and an annotation around them.
ProfilePtr two_threads() {
  return text_profile(R"(
    thread 1: 0-100 python train.py(3): main, 5-45 annotation mine, 10-40 op conv, 15-35 op mm [stack=model.py(9):_forward;train.py(3):_main], 20-22 runtime l [corr=1], 50-60 op mm [stack=train.py(3):_main]
    thread 2: 0-30 op relu
    stream 7: 30-50 gemm [corr=1]
  )");
}

TEST(CallTree, CallsAreMergedByPathBelowTheirThreads) {
  const Report report = run_view(two_threads(), "call_tree");
  EXPECT_EQ(rows_text(report, "calls", {"name", "parent", "calls", "host_total", "host_self", "device_total", "device_self"}),
            "thread 1 - - 40 - 20 -\n"
            "conv 0 1 30 10 20 0\n"
            "mm 1 1 20 18 20 20\n"
            "mm 0 1 10 10 0 0\n"
            "thread 2 - - 30 - 0 -\n"
            "relu 4 1 30 30 0 0\n");
  EXPECT_EQ(rows_text(report, "calls", {"host_share", "device_share", "is_call"}).substr(0, 14), "0.571429 1 no\n");
}

TEST(CallTree, OfOneThread) {
  const Report all = run_view(two_threads(), "call_tree");
  const Parameter& thread = all.parameters[1];
  ASSERT_EQ(thread.choices.size(), 3u);
  EXPECT_EQ(thread.choices[2].title, "thread 2");
  const Report one = run_view(two_threads(), "call_tree", {{"thread", thread.choices[2].value}});
  EXPECT_EQ(rows_text(one, "calls", {"name", "parent", "calls"}), "relu - 1\n");
  EXPECT_THROW(run_view(two_threads(), "call_tree", {{"thread", "99"}}), std::invalid_argument);
}

TEST(CallTree, WithPythonFunctionsAndAnnotations) {
  auto profile = parse_text_profile("thread 1: 0-100 python train.py(3): main, 5-45 annotation mine, 10-40 op conv");
  profile->has_python_stacks = true;
  const Report report = run_view(std::move(profile), "call_tree", {{"tree", "python"}});
  EXPECT_EQ(rows_text(report, "calls", {"name", "parent", "host_total", "host_self"}),
            "train.py(3): main - 100 60\nmine 0 40 10\nconv 1 30 30\n");
}

TEST(CallTree, BelowTheRecordedCallStacks) {
  const Report report = run_view(two_threads(), "call_tree", {{"tree", "stacks"}});
  // Only mm has stacks; the frames contain the rows below them.
  EXPECT_EQ(rows_text(report, "calls", {"name", "parent", "calls", "host_total"}),
            "thread 1 - - 30\n"
            "train.py(3):_main 0 - 30\n"
            "model.py(9):_forward 1 - 20\n"
            "mm 2 1 20\n"
            "mm 1 1 10\n");
  EXPECT_THROW(run_view(text_profile("thread 1: 0-1 op a"), "call_tree", {{"tree", "stacks"}}), std::invalid_argument);
}

TEST(CallTree, ShowsTheLargestAndReportsTheRest) {
  const ProfilePtr profile = text_profile("thread 1: 0-60 op a, 10-40 op b, 60-90 op c, 90-100 op d");
  const Report report = run_view(profile, "call_tree", {{"rows", "2"}});
  EXPECT_EQ(rows_text(report, "calls", {"name", "parent", "host_total"}), "a - 60\nb 0 30\n");
  ASSERT_EQ(report.panels.back().notes.size(), 1u);
  EXPECT_EQ(report.panels.back().notes[0].text,
            "The 2 largest of 4 paths; the others hold 40.0% of the host time and 0.0% of the device time.");
  EXPECT_TRUE(run_view(profile, "call_tree").panels.back().notes.empty());
}

TEST(CallTree, AnAbsorbedCallIsNotARow) {
  EXPECT_EQ(rows_text(run_view(text_profile("thread 1: 0-100 op mm, 10-90 op mm, 20-30 op k, 40-50 op k"), "call_tree"), "calls",
                      {"name", "parent", "calls", "host_total"}),
            "mm - 1 100\nk 0 2 20\n");
}

}  // namespace
}  // namespace sightline::analyses
