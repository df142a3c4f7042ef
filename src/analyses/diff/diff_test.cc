// The diff of two runs: one pair worked by hand, how parts correspond, and that a run compared with itself has no difference.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <random>

#include "analyses/diff/diff_tree.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// One step each. In the baseline data loading takes 10, Linear 20 with a kernel of 8, mul 5, the backward pass 12 on another
// thread with a kernel of 6, the optimizer 6. In the other one data comes from another loader in 4, Linear takes 25 and its
// kernel 11, add follows mul, and the backward pass takes 10.
constexpr std::string_view kBefore = R"(
  thread 1: 0-70 step 5, 0-10 data A, 12-32 module "nn.Module: Linear_0", 14-30 op aten::mm, 15-17 runtime l [corr=1], 33-38 op aten::mul, 55-61 optimizer SGD
  thread 2: 40-52 op autograd::engine::evaluate_function, 41-43 runtime l [corr=2]
  stream 7: 20-28 gemm [corr=1], 45-51 gemm_backward [corr=2]
)";
constexpr std::string_view kAfter = R"(
  thread 1: 0-80 step 8, 0-4 data B, 12-37 module "nn.Module: Linear_0", 14-30 op aten::mm, 15-17 runtime l [corr=1], 38-43 op aten::mul, 44-46 op aten::add, 65-71 optimizer SGD
  thread 2: 50-60 op autograd::engine::evaluate_function, 51-53 runtime l [corr=2]
  stream 7: 20-31 gemm2 [corr=1], 55-61 gemm_backward [corr=2]
)";

Report diff(std::string_view node = "", std::string_view time = "host") {
  return run_view_of({text_profile(kBefore), text_profile(kAfter)}, "diff",
                     {{"node", std::string(node)}, {"time", std::string(time)}});
}

const std::vector<std::string> kTimes{"name", "kind", "baseline_time", "compared_time", "change_time", "change_time_share"};

TEST(Diff, StepsCorrespondByPosition) {
  // The steps as the overview has them: 70 and 80; (80 - 70) / 70 = 0.142857.
  const Report report = diff();
  EXPECT_EQ(rows_text(report, "parts", kTimes), "Step 5 / 8 step 70 80 10 0.142857\n");
  // Device time 8 + 6 = 14 and 11 + 6 = 17.
  EXPECT_EQ(rows_text(report, "parts", {"baseline_device", "compared_device", "change_device", "change_device_share"}),
            "14 17 3 0.214286\n");
  ASSERT_EQ(report.trail.size(), 1u);
  // Data loading 10 and 4.
  const std::string headline = report.notes.at(0).text;
  EXPECT_EQ(headline.substr(0, 78), "The mean step takes 80 ns instead of 70 ns: +10 ns (+14.3%). Largest changes: ");
  EXPECT_NE(headline.find("Data loading \u22126 ns"), std::string::npos) << headline;
}

TEST(Diff, InsideAStepPartsCorrespondInLogicalOrder) {
  const Report report = diff("0");
  EXPECT_EQ(rows_text(report, "parts", kTimes),
            "A / B data loading 10 4 -6 -0.6\n"
            "Linear_0 module 20 25 5 0.25\n"
            "Operators operators 5 7 2 0.4\n"
            "autograd::engine::evaluate_function call 12 10 -2 -0.166667\n"
            "SGD optimizer 6 6 0 0\n");
  // 10, 30, 35, 47, 53 and 4, 29, 36, 46, 52.
  EXPECT_EQ(rows_text(report, "parts", {"baseline_sum", "compared_sum", "change_sum"}),
            "10 4 -6\n30 29 -1\n35 36 1\n47 46 -1\n53 52 -1\n");
  ASSERT_EQ(report.trail.size(), 2u);
  EXPECT_EQ(report.trail[1].title, "Step 5 / 8");
  EXPECT_EQ(report.trail[1].parameters[0].second, "0");
  EXPECT_EQ(report.trail[0].parameters[0].second, "");
}

// The range around the steps takes 200; x begins after step 1 and before step 2, so in neither.
TEST(Diff, ARangeAroundStepsIsDivided) {
  const ProfilePtr profile =
      text_profile("thread 1: 0-200 op train, 0-90 step 1, 10-30 op a, 95-100 op x, 100-190 step 2, 110-140 op b");
  const Report report = run_view_of({profile, profile}, "diff");
  EXPECT_EQ(rows_text(report, "parts", {"name", "kind", "baseline_time"}),
            "Step 1 step 90\nStep 2 step 90\nOutside of steps outside of steps 5\n");
  EXPECT_EQ(rows_text(report, "sums", {"metric", "baseline_time"}), "device_time -\nkernel_time -\nhost_time 200\n");
}

TEST(Diff, DeviceTimeIsTheTimeOfTheWorkInside) {
  EXPECT_EQ(rows_text(diff("0", "device"), "parts", {"name", "baseline_device", "compared_device", "change_sum"}),
            "A / B 0 0 0\n"
            "Linear_0 8 11 3\n"
            "Operators 0 0 3\n"
            "autograd::engine::evaluate_function 6 6 3\n"
            "SGD 0 0 3\n");
}

TEST(Diff, OperatorsBetweenPartsCorrespondByName) {
  const Report report = diff("0-2");
  EXPECT_EQ(rows_text(report, "parts", {"name", "only_in", "baseline_time", "compared_time", "change_time", "change_time_share"}),
            "aten::mul - 5 5 0 0\naten::add compared 0 2 2 -\n");
  EXPECT_EQ(report.trail.back().title, "Operators");
  EXPECT_EQ(report.trail.back().parameters[0].second, "0-2");
}

TEST(Diff, ListsOperatorsAndKernelsInsideThePart) {
  const Report linear = diff("0-1");
  // mm: 16 on the host in both, 2 of it in the launching call; kernels of 8 and 11.
  EXPECT_EQ(rows_text(linear, "operators",
                      {"name", "baseline_host_total", "compared_host_total", "baseline_host_self", "change_host_self",
                       "baseline_device_total", "change_device_total", "baseline_device_self", "compared_device_self",
                       "baseline_calls", "compared_calls"}),
            "aten::mm 16 16 14 0 8 3 8 11 1 1\n");
  EXPECT_EQ(rows_text(linear, "kernels",
                      {"name", "baseline_total", "compared_total", "change_total", "change_total_share", "baseline_calls",
                       "baseline_mean", "compared_mean"}),
            "gemm2 0 11 11 - 0 - 11\ngemm 8 0 -8 -1 1 8 -\n");
  EXPECT_EQ(rows_text(diff(), "kernels", {"name"}), "gemm2\ngemm\ngemm_backward\n");
  EXPECT_EQ(rows_text(diff(), "operators", {"name"}), "autograd::engine::evaluate_function\naten::add\naten::mm\naten::mul\n");
}

TEST(Diff, SumsOfBothProfiles) {
  const Report report = diff();
  // Step: 70 and 80. Kernel: 14 and 17. Runtime: 15-17 and 41-43, 51-53: 4. Data loading: 10 and 4. Host: Linear is no role, so
  // mm 14-15, 17-20, 28-30, mul 5, evaluation 40-41, 43-45, 51-52, optimizer 6: 21; then mm 14-15, 17-20, mul 5, add 2,
  // evaluation 50-51, 53-55, optimizer 6: 20. Other is the rest: 70-14-4-10-21 = 21, 80-17-4-4-20 = 35.
  EXPECT_EQ(rows_text(report, "step_time", {"metric", "baseline_time", "compared_time", "change_time"}),
            "step_time 70 80 10\nstep_kernel 14 17 3\nstep_runtime 4 4 0\nstep_dataloader 10 4 -6\nstep_host 21 20 -1\n"
            "step_other 21 35 14\n");
  // Host: 10 + 20 + 5 + 6 + 12 and 4 + 25 + 5 + 2 + 6 + 10.
  EXPECT_EQ(rows_text(report, "sums", {"metric", "baseline_time", "compared_time"}),
            "device_time 14 17\nkernel_time 14 17\nhost_time 53 52\n");
  EXPECT_EQ(rows_text(report, "counts", {"metric", "baseline_count", "compared_count"}),
            "steps 1 1\noperators 3 4\nlaunches 2 2\nkernels 2 2\ncopies 0 0\n");
  EXPECT_EQ(report.find_table("memory"), nullptr);
}

TEST(Diff, PeakMemoryOfTheDevices) {
  const ProfilePtr before = text_profile("thread 1: 0-10 op a\nmemory 0: 1 64 64, 2 36 100, 3 -100 0\nmemory host: 1 5 5");
  const ProfilePtr after = text_profile("thread 1: 0-10 op a\nmemory 0: 1 64 64\nmemory 1: 1 80 80");
  EXPECT_EQ(
      rows_text(run_view_of({before, after}, "diff"), "memory", {"metric", "baseline_bytes", "compared_bytes", "change_bytes"}),
      "peak_memory 100 80 -20\npeak_memory:GPU0 100 64 -36\npeak_memory:GPU1 - 80 -\npeak_memory:CPU 5 - -\n");
}

TEST(Diff, PartsOfOneProfileAloneAreMarked) {
  const ProfilePtr before = text_profile("thread 1: 0-10 module A, 10-30 module B");
  const ProfilePtr after = text_profile("thread 1: 0-10 module A, 10-40 module C\nstream 7: 0-5 k");
  const Report report = run_view_of({before, after}, "diff");
  EXPECT_EQ(
      rows_text(report, "parts", {"name", "only_in", "baseline_time", "compared_time", "baseline_device", "compared_device"}),
      "A - 10 10 - 0\nB baseline 20 0 - 0\nC compared 0 30 - 0\n");
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0].text, "The baseline was recorded without device activity.");
  EXPECT_EQ(rows_text(report, "step_time", {"metric", "baseline_time", "compared_time"}).substr(0, 14), "step_time - -\n");
}

TEST(Diff, ADifferentNumberOfStepsIsReported) {
  const ProfilePtr before = text_profile("thread 1: 0-10 step 1, 1-2 op a, 10-20 step 2, 11-12 op a, 25-26 op b");
  const ProfilePtr after = text_profile("thread 1: 0-10 step 1, 1-2 op a");
  const Report report = run_view_of({before, after}, "diff");
  EXPECT_EQ(rows_text(report, "parts", {"name", "only_in", "baseline_time"}),
            "Step 1 - 10\nStep 2 baseline 10\nOutside of steps baseline 1\n");
  ASSERT_EQ(report.notes.size(), 2u);
  EXPECT_EQ(report.notes[0].text, "The mean step is as long as in the baseline: 10 ns.");
  EXPECT_EQ(report.notes[1].text, "The baseline has 2 steps, the compared profile 1 step: sums are over all of them.");
}

TEST(Diff, AnUnknownPathIsAnError) {
  const DiffTree tree(text_profile(kBefore), text_profile(kAfter));
  EXPECT_EQ(tree.trail("0-9").error().message, "node: 0-9 leads nowhere: Step 5 / 8 has 5 parts");
  for (const std::string path : {"x", "0-", "-1", "0--1", "99999999999999999999999"}) EXPECT_FALSE(tree.trail(path)) << path;
}

// Splits [start, end) at random into nested ranges.
void add_random_ranges(std::mt19937& random, Time start, Time end, int depth, std::string& line) {
  static constexpr std::array<std::string_view, 8> kKinds{
      "op a", "op b", "op autograd::engine::c", "module m", "module n", "data d", "optimizer f", "runtime l"};
  for (Time at = start; at + 2 < end && depth < 4;) {
    const Time from = at + static_cast<Time>(random() % 5);
    const Time to = from + 1 + static_cast<Time>(random() % 40);
    if (to > end) break;
    const std::string_view kind = kKinds[random() % kKinds.size()];
    line += fmt::format("{}{}-{} {}", line.empty() ? "" : ", ", from, to, kind);
    if (kind == "runtime l") {
      line += fmt::format(" [corr={}]", from);
    } else {
      add_random_ranges(random, from, to, depth + 1, line);
    }
    at = to;
  }
}

ProfilePtr random_run(std::mt19937& random) {
  std::string main, other, device;
  const bool steps = random() % 3 != 0;
  if (random() % 3 == 0) main += "0-600 op around";
  for (int step = 0; step < 3; ++step) {
    if (steps) main += fmt::format("{}{}-{} step {}", main.empty() ? "" : ", ", 200 * step, 200 * step + 180, step);
    add_random_ranges(random, 200 * step, 200 * step + 180, 0, main);
  }
  add_random_ranges(random, 0, 600, 1, other);
  for (Time at = 0; at < 600; at += 7)
    device += fmt::format("{}{}-{} k{} [corr={}]", device.empty() ? "" : ", ", at, at + 5, at % 3, at);
  return text_profile(fmt::format("thread 1: {}\nthread 2: {}\nstream 7: {}", main, other, device));
}

void expect_no_difference(const DiffTree& tree, const ProfilePtr& profile, const std::string& node, int depth) {
  const Report report = run_view_of({profile, profile}, "diff", {{"node", node}});
  for (const ReportTable& table : report.tables) {
    for (const ReportColumn& column : table.columns) {
      if (!column.change && column.key != "only_in") continue;
      for (const Cell& cell : column.values) {
        if (column.key == "only_in")
          EXPECT_TRUE(is_unknown(cell)) << node;
        else
          EXPECT_TRUE(is_unknown(cell) || number_of(cell) == 0) << node << " " << table.key << " " << column.key;
      }
    }
  }
  const auto trail = tree.trail(node);
  ASSERT_TRUE(trail);
  const auto parts = tree.parts(trail->back());
  for (std::size_t i = 0; i < parts.size() && depth > 0; ++i) {
    if (tree.has_parts(parts[i]))
      expect_no_difference(tree, profile, (node.empty() ? "" : node + "-") + std::to_string(i), depth - 1);
  }
}

// Parts divide a whole: the sums of operators over the parts equal those of the whole, except "around", which contains the
// steps.
void expect_whole_is_sum_of_parts(const Report& whole, const ProfilePtr& before, const ProfilePtr& after) {
  const DiffTree tree(before, after);
  std::array<double, 2> calls{}, inside{};
  const auto add = [](const Report& report, std::array<double, 2>& sums) {
    const ReportTable* table = report.find_table("operators");
    for (std::size_t row = 0; row < table->rows(); ++row) {
      if (table->find("name")->values[row] == Cell{std::string("around")}) continue;
      sums[0] += number_of(table->find("baseline_calls")->values[row]);
      sums[1] += number_of(table->find("compared_calls")->values[row]);
    }
  };
  add(whole, calls);
  for (std::size_t i = 0; i < tree.parts(tree.whole()).size(); ++i) {
    add(run_view_of({before, after}, "diff", {{"node", std::to_string(i)}}), inside);
  }
  EXPECT_EQ(calls, inside);
}

TEST(Diff, ARunComparedWithItselfIsZero) {
  for (const std::string_view text : {kBefore, kAfter}) {
    const ProfilePtr profile = text_profile(text);
    expect_no_difference(DiffTree(profile, profile), profile, "", 4);
  }
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const ProfilePtr profile = random_run(random), other = random_run(random);
    expect_no_difference(DiffTree(profile, profile), profile, "", 3);
    expect_whole_is_sum_of_parts(run_view_of({profile, other}, "diff"), profile, other);
  }
}

}  // namespace
}  // namespace sightline::analyses
