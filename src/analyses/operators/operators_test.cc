// The operators view: every column worked by hand, groups, search, and the sums that must hold.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// Two calls of mm with different shapes, one of relu, in one step; the backward thread calls mm once more.
ProfilePtr operators_training() {
  return text_profile(R"(
    thread 1: 0-100 step 1, 0-40 op mm [shapes=[[2,3],[3,4]] eligible stack=linear.py(3):_forward;main], 10-15 runtime l [corr=1], 50-70 op relu, 55-58 runtime l [corr=2]
    thread 2: 20-50 op mm [shapes=[[5,5],[5,5]] eligible stack=train.py(9):_step;main], 30-34 runtime l [corr=3]
    stream 7: 15-35 gemm [corr=1 matrix], 60-66 elementwise [corr=2]
    stream 8: 30-40 gemm2 [corr=3]
  )");
}

TEST(Operators, EveryColumn) {
  const Report report = run_view(operators_training(), "operators");
  // mm: device 20 + 10; busy 15-40 = 25; host self 40-5 + 30-4 = 61 of 70; 20 of 30 on matrix units.
  // relu: device 6; host self 20-3.
  EXPECT_EQ(
      rows_text(report, "operators", {"name", "calls", "device_self", "device_total", "device_busy", "host_self", "host_total"}),
      "mm 2 30 30 25 61 70\n"
      "relu 1 6 6 6 17 20\n");
  EXPECT_EQ(rows_text(report, "operators", {"name", "tc_eligible", "tc_self_share", "tc_total_share", "has_stack"}),
            "mm yes 0.666667 0.666667 yes\n"
            "relu no 0 0 no\n");
  EXPECT_EQ(report.tables.front().sort_column, "device_self");
  EXPECT_EQ(report.panels.size(), 3u);  // self times and the table
  EXPECT_EQ(report.scope, "3 calls of 2 operators");
}

// The name of a kernel may not show on which units it ran: then the flag is not "no", and the share is not 0.
TEST(Operators, UnclearNamesOfKernelsAreUnknown) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-10 op f, 2-3 runtime l [corr=1], 20-30 op dot [eligible], 22-23 runtime l [corr=2], 40-50 op g, 42-43 runtime l [corr=3]
    stream 7: 15-35 gemm_fusion [corr=1 unknown_core], 40-60 gemm_fusion [corr=2 unknown_core], 60-70 memcpy HtoD [corr=3 unknown_core]
  )"),
                                 "operators");
  EXPECT_EQ(rows_text(report, "operators", {"name", "tc_eligible", "tc_self_share", "tc_total_share"}),
            "f - - -\n"
            "dot yes - -\n"
            "g no 0 0\n");
}

TEST(Operators, GroupedByShape) {
  const Report report = run_view(operators_training(), "operators", {{"group_by", "shape"}});
  EXPECT_EQ(rows_text(report, "operators", {"name", "input_shape", "calls", "device_self"}),
            "mm [[2,3],[3,4]] 1 20\n"
            "mm [[5,5],[5,5]] 1 10\n"
            "relu - 1 6\n");
}

TEST(Operators, SearchIgnoresCase) {
  EXPECT_EQ(rows_text(run_view(operators_training(), "operators", {{"search", "ReL"}}), "operators", {"name"}), "relu\n");
  EXPECT_EQ(rows_text(run_view(operators_training(), "operators", {{"search", "nothing"}}), "operators", {"name"}), "");
}

TEST(Operators, WithoutDeviceWorkDeviceTimesAreUnknown) {
  const Report report = run_view(text_profile("thread 1: 0-10 op a, 20-50 op b"), "operators");
  EXPECT_EQ(rows_text(report, "operators", {"name", "device_self", "tc_self_share", "host_self"}), "b - - 30\na - - 10\n");
  EXPECT_EQ(report.tables.front().sort_column, "host_self");
  EXPECT_TRUE(report.tables.front().find("device_busy")->hidden);
  EXPECT_EQ(report.panels.size(), 2u);
}

TEST(Operators, NestedCallsOfOneNameCountTwiceInTotalsAndOnceInBusy) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 op f, 10-50 op f, 60-70 op g, 20-25 runtime l [corr=1]
    stream 7: 30-40 k [corr=1]
  )");
  // f: two calls, host total 100 + 40, self (100-40-10) + (40-5); device total 10 + 10, busy 10.
  EXPECT_EQ(rows_text(run_view(profile, "operators"), "operators",
                      {"name", "calls", "device_self", "device_total", "device_busy", "host_self", "host_total"}),
            "f 2 10 20 10 85 140\n"
            "g 1 0 0 0 10 10\n");
}

TEST(Operators, WithoutSelfTimeTheLargestTotalComesFirst) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-10 op idle, 20-90 op outer, 30-40 op inner, 31-32 runtime l [corr=1]
    stream 7: 40-50 k [corr=1]
  )");
  EXPECT_EQ(rows_text(run_view(profile, "operators"), "operators", {"name"}), "inner\nouter\nidle\n");
}

TEST(Operators, AnAbsorbedCallIsNotACall) {
  const Report report = run_view(text_profile("thread 1: 0-100 op mm, 10-90 op mm"), "operators");
  EXPECT_EQ(rows_text(report, "operators", {"name", "calls", "host_self", "host_total"}), "mm 1 100 100\n");
}

TEST(Operators, AreUnavailableWithoutOperators) {
  const Analysis& analysis = *find_analysis("operators");
  EXPECT_TRUE(analysis.unavailable(*text_profile("stream 7: 0-10 k")).has_value());
  EXPECT_FALSE(analysis.unavailable(*operators_training()).has_value());
}

TEST(OperatorStacks, OneRowPerStack) {
  const Report report = run_view(operators_training(), "operator_stacks", {{"name", "mm"}});
  EXPECT_EQ(rows_text(report, "stacks", {"frame", "stack", "calls", "device_self", "device_busy", "host_self", "call"}),
            "linear.py(3):_forward linear.py(3):_forward;main 1 20 20 35 0\n"
            "train.py(9):_step train.py(9):_step;main 1 10 10 26 2\n");
  EXPECT_EQ(rows_text(run_view(operators_training(), "operator_stacks", {{"name", "relu"}}), "stacks", {"calls"}), "");
  EXPECT_EQ(rows_text(run_view(operators_training(), "operator_stacks", {{"name", "no such"}}), "stacks", {"calls"}), "");
}

TEST(OperatorStacks, ShapesMustMatchWhenGroupedByShape) {
  const Report report = run_view(operators_training(), "operator_stacks",
                                 {{"name", "mm"}, {"group_by", "shape"}, {"input_shape", "[[5,5],[5,5]]"}});
  EXPECT_EQ(rows_text(report, "stacks", {"stack", "calls"}), "train.py(9):_step;main 1\n");
}

TEST(CallStack, FramesHaveFileAndLineIfKnown) {
  const auto profile = parse_text_profile("thread 1: 0-10 op a");
  profile->operators.call_stack[0] =
      profile->strings.intern("nn/linear.py(114): forward;<built-in function linear>;main.py(7): train (x)");
  const Report report = run_view(ProfilePtr(std::make_shared<const Profile>(std::move(*profile))), "call_stack", {{"call", "0"}});
  EXPECT_EQ(rows_text(report, "frames", {"depth", "frame", "file", "line"}),
            "0 nn/linear.py(114): forward nn/linear.py 114\n"
            "1 <built-in function linear> - -\n"
            "2 main.py(7): train (x) main.py 7\n");
}

TEST(CallStack, RefusesUnknownCalls) {
  const ProfilePtr profile = text_profile("thread 1: 0-10 op a");
  EXPECT_THROW(run_view(profile, "call_stack", {{"call", "1"}}), std::invalid_argument);
  EXPECT_THROW(run_view(profile, "call_stack", {{"call", "-1"}}), std::invalid_argument);
}

TEST(Operators, AStepHasTheCallsThatStartInIt) {
  // The call on thread 2 starts in step 1 and outlives it: it counts whole; c inside it starts in step 2.
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 step 1, 10-40 op a, 100-200 step 2, 110-130 op a
    thread 2: 90-180 op b, 120-150 op c
  )");
  const auto rows = [&](const char* step) {
    return rows_text(run_view(profile, "operators", {{"step", step}}), "operators", {"name", "calls", "host_self", "host_total"});
  };
  EXPECT_EQ(rows("1"), "b 1 60 90\na 1 30 30\n");
  EXPECT_EQ(rows("2"), "c 1 30 30\na 1 20 20\n");
  EXPECT_EQ(run_view(profile, "operators", {{"step", "2"}}).scope, "2 calls of 2 operators, step 2");
  EXPECT_THROW(rows("3"), std::invalid_argument);
}

TEST(Operators, TitlesUseTheDevicesWords) {
  const auto title = [](std::string_view words) {
    const Report report = run_view(text_profile(std::string(words) + "thread 1: 0-10 op a\nstream 7: 0-5 k"), "operators");
    return report.tables.front().find("tc_self_share")->title;
  };
  EXPECT_EQ(title("words NPU, AI cores, AI core\n"), "AI cores self");
  EXPECT_EQ(title("words GPU, tensor cores, SM\n"), "Tensor cores self");
  EXPECT_EQ(title(""), "Matrix units self");
}

// Two calls of mm of other shapes and stacks, one of relu of which the host's time is not known.
ProfilePtr reported() {
  auto profile = parse_text_profile("words NPU, AI cores, AI core");
  const auto add = [&](std::string_view name, std::string_view shapes, std::string_view stack, Time host, Time device,
                       Time matrix) {
    ReportedOperators& calls = profile->reported_operators;
    calls.name.push_back(profile->strings.intern(name));
    calls.input_shapes.push_back(profile->strings.intern(shapes));
    calls.call_stack.push_back(stack.empty() ? StringId::none : profile->strings.intern(stack));
    for (auto* column : {&calls.host_self, &calls.host_total}) column->push_back(host);
    for (auto* column : {&calls.device_self, &calls.device_total}) column->push_back(device);
    for (auto* column : {&calls.matrix_self, &calls.matrix_total}) column->push_back(matrix);
  };
  add("mm", "[[2,3]]", "a.py(1): f;main", 10, 40, 30);
  add("relu", "[]", "", kUnknown, 50, 0);
  add("mm", "[[4,4]]", "b.py(2): g", 5, 20, 15);
  return profile;
}

TEST(Operators, OnlyDurationsStatedByTheFile) {
  ASSERT_FALSE(find_analysis("operators")->unavailable(*reported()).has_value());
  const Report report = run_view(reported(), "operators");
  EXPECT_EQ(
      rows_text(report, "operators",
                {"name", "calls", "device_self", "device_total", "device_busy", "host_self", "tc_eligible", "tc_self_share"}),
      "mm 2 60 60 - 15 yes 0.75\n"
      "relu 1 50 50 - - no 0\n");
  EXPECT_EQ(report.notes.front().level, Note::Level::warning);
  EXPECT_EQ(
      rows_text(run_view(reported(), "operators", {{"group_by", "shape"}}), "operators", {"name", "input_shape", "device_self"}),
      "relu [] 50\nmm [[2,3]] 40\nmm [[4,4]] 20\n");
}

TEST(OperatorStacks, OnlyDurationsStatedByTheFile) {
  const Report report = run_view(reported(), "operator_stacks", {{"name", "mm"}});
  EXPECT_EQ(rows_text(report, "stacks", {"frame", "calls", "device_self", "call"}), "a.py(1): f 1 40 0\nb.py(2): g 1 20 2\n");
  EXPECT_EQ(rows_text(run_view(reported(), "call_stack", {{"call", "0"}}), "frames", {"depth", "frame", "file", "line"}),
            "0 a.py(1): f a.py 1\n1 main - -\n");
}

}  // namespace
}  // namespace sightline::analyses
