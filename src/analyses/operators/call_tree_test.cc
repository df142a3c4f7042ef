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

// a calls b (30 of its 60), b calls c (10); d calls b (20 of its 40), which calls b again (5).
ProfilePtr nested_calls() {
  return text_profile("thread 1: 0-60 op a, 10-40 op b, 20-30 op c, 60-100 op d, 70-90 op b, 72-77 op b, 80-84 op e");
}

TEST(CallTree, BottomUpEveryFunctionHoldsItsCallers) {
  const Report report = run_view(nested_calls(), "call_tree", {{"show", "callers"}});
  EXPECT_EQ(report.scope, "5 functions");
  // Self: a 60 - 30 = 30; d 40 - 20 = 20; b (30 - 10) in a + (20 - 5 - 4) in d + 5 in b in d = 36; c 10; e 4. Together 100.
  // The rows come by self time, and callers after what they called.
  EXPECT_EQ(rows_text(report, "functions", {"name", "parent", "calls", "host_self", "host_total"}),
            "b - 3 36 55\n"
            "a - 1 30 60\n"
            "d - 1 20 40\n"
            "a 0 1 20 30\n"
            "d 0 1 11 20\n"
            "c - 1 10 10\n"
            "b 5 1 10 10\n"
            "a 6 1 10 10\n"
            "b 0 1 5 5\n"
            "d 8 1 5 5\n"
            "e - 1 4 4\n"
            "b 10 1 4 4\n"
            "d 11 1 4 4\n");
  EXPECT_EQ(rows_text(report, "functions", {"host_share"}).substr(0, 9), "0.36\n0.3\n");
  EXPECT_EQ(report.panels.front().as<FlameChart>()->value, "host_self");
}

TEST(CallTree, AroundOneFunctionItsCallersAndItsCallees) {
  const Report report = run_view(nested_calls(), "call_tree", {{"function", "b"}});
  // The b inside b is a part of that call: b took 30 + 20.
  EXPECT_EQ(rows_text(report, "callers", {"name", "parent", "calls", "host_total", "host_share"}),
            "b - 2 50 1\n"
            "a 0 1 30 0.6\n"
            "d 0 1 20 0.4\n");
  EXPECT_EQ(rows_text(report, "callees", {"name", "parent", "calls", "host_total", "host_self"}),
            "b - 2 50 31\n"
            "c 0 1 10 10\n"
            "b 0 1 5 5\n"
            "e 0 1 4 4\n");
  EXPECT_TRUE(report.panels[0].as<FlameChart>()->up);
  EXPECT_FALSE(report.panels[1].as<FlameChart>()->up);
  ASSERT_EQ(report.trail.size(), 2u);
  EXPECT_EQ(report.trail[1].title, "b");
  EXPECT_EQ(report.parameters[4].key, "show");
  EXPECT_EQ(report.parameters[4].choices.size(), 1u);  // there is nothing to choose
  EXPECT_THROW(run_view(nested_calls(), "call_tree", {{"function", "nothing"}}), std::invalid_argument);
}

TEST(CallTree, MergedRowsHaveTheDeviceTimeOfTheirPaths) {
  const Report callers = run_view(two_threads(), "call_tree", {{"show", "callers"}});
  // mm in conv caused the only kernel, 30-50; threads are no callers.
  EXPECT_EQ(rows_text(callers, "functions", {"name", "parent", "device_self", "host_self"}),
            "mm - 20 28\n"
            "conv 0 20 18\n"
            "relu - 0 30\n"
            "conv - 0 10\n");
  const Report stacks = run_view(two_threads(), "call_tree", {{"tree", "stacks"}, {"function", "mm"}});
  EXPECT_EQ(rows_text(stacks, "callers", {"name", "parent", "calls", "device_total"}),
            "mm - 2 20\n"
            "model.py(9):_forward 0 1 20\n"
            "train.py(3):_main 1 1 20\n"
            "train.py(3):_main 0 1 0\n");
}

TEST(CallTree, AMergedTreeHasTheLargestRows) {
  const Report report = run_view(nested_calls(), "call_tree", {{"show", "callers"}, {"rows", "3"}});
  EXPECT_EQ(rows_text(report, "functions", {"name", "parent", "host_self"}), "b - 36\na - 30\nd - 20\n");
  EXPECT_EQ(report.panels.back().notes.at(0).text, "The 3 largest rows: there are smaller ones.");
}

TEST(CallTree, AnAbsorbedCallIsNotARow) {
  EXPECT_EQ(rows_text(run_view(text_profile("thread 1: 0-100 op mm, 10-90 op mm, 20-30 op k, 40-50 op k"), "call_tree"), "calls",
                      {"name", "parent", "calls", "host_total"}),
            "mm - 1 100\nk 0 2 20\n");
}

}  // namespace
}  // namespace sightline::analyses
