// The change point by hand and against brute force; the history of runs, whose figures are worked in comments.
#include "analyses/history/history.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

const double kNoValue = std::nan("");

// Of all splits, the largest |U| by its definition: the sum of sign(after - before) over all pairs.
std::pair<std::size_t, int> slow_split(const std::vector<double>& values) {
  std::pair<std::size_t, int> best{0, 0};
  for (std::size_t first = 1; first < values.size(); ++first) {
    int u = 0;
    for (std::size_t i = 0; i < first; ++i) {
      for (std::size_t j = first; j < values.size(); ++j) u += (values[j] > values[i]) - (values[j] < values[i]);
    }
    if (std::abs(u) > best.second) best = {first, std::abs(u)};
  }
  return best;
}

// The share of all orders with as large a |U|.
double exact_p(std::vector<double> values) {
  const int u = slow_split(values).second;
  std::sort(values.begin(), values.end());
  double orders = 0, as_large = 0;
  do {
    ++orders;
    as_large += slow_split(values).second >= u;
  } while (std::next_permutation(values.begin(), values.end()));
  return as_large / orders;  // of distinct orders: each stands for equally many
}

TEST(ChangePoint, AgreesWithBruteForce) {
  std::mt19937_64 random(23);
  for (int round = 0; round < 40; ++round) {
    std::vector<double> values(2 + random() % 5);
    for (double& value : values) value = static_cast<double>(random() % 6);
    const auto found = change_point(values);
    const auto [first, u] = slow_split(values);
    ASSERT_EQ(found.has_value(), u > 0);
    if (!found) continue;
    ASSERT_EQ(found->first, first);
    ASSERT_NEAR(found->p, exact_p(values), 0.02);  // 9,999 random orders: a standard error of 0.005
  }
}

// Four against four is the fewest with p <= 0.05: of the 70 ways to choose the places of the lower four, two separate them.
TEST(ChangePoint, HowManyRunsItTakes) {
  const auto eight = change_point(std::vector<double>{10, 11, 10.5, 10.2, 12, 12.5, 12.2, 12.1});
  ASSERT_TRUE(eight);
  EXPECT_EQ(eight->first, 4u);
  EXPECT_DOUBLE_EQ(eight->before, 10.35);
  EXPECT_DOUBLE_EQ(eight->after, 12.15);
  EXPECT_NEAR(eight->p, 2.0 / 70, 0.01);
  EXPECT_TRUE(eight->significant());
  EXPECT_FALSE(change_point(std::vector<double>{10, 11, 10.5, 12, 12.5, 12.2})->significant());  // 2 / 20
}

TEST(ChangePoint, UnknownAndEqualValues) {
  EXPECT_FALSE(change_point(std::vector<double>{}));
  EXPECT_FALSE(change_point(std::vector<double>{5}));
  EXPECT_FALSE(change_point(std::vector<double>{5, 5, 5}));
  EXPECT_FALSE(change_point(std::vector<double>{kNoValue, 5, kNoValue}));
  const auto found = change_point(std::vector<double>{kNoValue, 5, kNoValue, 6});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 3u);  // the places of unknown values count
  EXPECT_EQ(found->p, 1);
}

// One slow run among many is no change: only ranks count.
TEST(ChangePoint, AnOutlierIsNone) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(10 + (i * 7 % 5) * 0.1);
  values[12] = 1000;
  EXPECT_FALSE(change_point(values)->significant());
}

// Steps of `step` ns; the product takes half of each, on the host or on a device.
ProfilePtr run_of(int step, bool device) {
  std::string text = fmt::format("origin {}\nthread 1: ", 1'000'000 + step);
  std::string stream = "stream 7: ";
  for (int i = 0; i < 3; ++i) {
    const int at = i * step;
    text += fmt::format("{}{}-{} step {}, {}-{} op aten::mm, {}-{} runtime launch [corr={}]", i > 0 ? ", " : "", at, at + step, i,
                        at + 1, at + 1 + step / 2, at + 2, at + 3, i + 1);
    stream += fmt::format("{}{}-{} gemm [corr={}]", i > 0 ? ", " : "", at + 4, at + 4 + step / 4, i + 1);
  }
  return text_profile(device ? text + "\n" + stream + "\nmemory 0: 1 64 64, 2 128 192, 3 -64 128" : text);
}

TEST(RunFigures, OfARun) {
  const RunFigures run = figures_of(run_of(1000, true), "nightly");
  EXPECT_EQ(run.recorded, 1'001'000);
  EXPECT_EQ(run.steps, (std::vector<double>{1000, 1000, 1000}));
  EXPECT_EQ(run.peak_memory, 192);
  ASSERT_EQ(run.operators.size(), 1u);
  EXPECT_EQ(run.operators[0].name, "aten::mm");
  EXPECT_EQ(run.operators[0].time, 250);  // three kernels of 250 in three steps
  EXPECT_EQ(run.time_of("aten::add"), 0);
  const RunFigures host = figures_of(run_of(1000, false), "host");
  EXPECT_EQ(host.operators[0].time, 499);  // 500, without the launching call of 1
  EXPECT_EQ(host.peak_memory, kUnknown);
  EXPECT_TRUE(std::isnan(host.utilization));
}

TEST(RunFigures, QuartilesAreInterpolated) {
  RunFigures run;
  run.steps = {10, 20, 30, 40};
  EXPECT_EQ(run.step(0.5), 25);
  EXPECT_EQ(run.step(0.25), 17.5);
  EXPECT_EQ(run.step(1), 40);
}

std::vector<RunFigures> runs_of(const std::vector<int>& steps) {
  std::vector<RunFigures> runs;
  for (const int step : steps) runs.push_back(figures_of(run_of(step, true), fmt::format("r{}", runs.size() + 1)));
  return runs;
}

TEST(History, WhatTheLastRunIsComparedWith) {
  const auto growth = [](const std::vector<int>& steps) { return judge_steps(runs_of(steps)).growth(); };
  EXPECT_TRUE(std::isnan(growth({100})));
  EXPECT_NEAR(growth({100, 110}), 0.1, 1e-12);
  EXPECT_NEAR(growth({100, 300, 104, 120}), 120.0 / 104 - 1, 1e-12);  // the median of the three before it
  // A slower level that stays is still slower than the one before it.
  EXPECT_NEAR(growth({100, 100, 100, 100, 120, 120, 120, 120, 120}), 0.2, 1e-12);
  // After an improvement the better level counts.
  EXPECT_NEAR(growth({200, 200, 200, 200, 100, 100, 100, 100, 110}), 0.1, 1e-12);
}

TEST(History, TheReport) {
  const auto runs = runs_of({400, 400, 404, 400, 600, 604, 600, 600});
  const Report report = history_report(runs, 5);
  EXPECT_TRUE(rows_text(report, "runs", {"number", "run", "steps", "step", "peak_memory", "most_time"})
                  .starts_with("1 r1 3 400 192 aten::mm 100 ns\n2 r2 3 400 192 aten::mm 100 ns\n"));
  // Kernels take 100, 100, 101, 100 and 150, 151, 150, 150 ns a step. Memory is equal in all runs.
  const std::string trends = rows_text(report, "trends", {"name", "own_name", "total", "at", "size", "significant"});
  EXPECT_EQ(trends, "Step yes 0.5 r5 0.5 yes\nPeak memory yes 0 - - no\naten::mm no 0.5 r5 0.5 yes\n");
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(report.notes[0].text.starts_with("From run r5 on, a step is 50.0% longer: 600 ns instead of 400 ns (p = 0.0"))
      << report.notes[0].text;
}

TEST(History, TheDiffAtTheChange) {
  Report report = history_report(runs_of({400, 600}), 5);
  const Report diff = run_view_of({run_of(400, true), run_of(600, true)}, "diff");
  add_diff(report, diff, 1);
  EXPECT_EQ(rows_text(report, "diff_operators", {"name", "baseline_device_self", "compared_device_self", "change_device_self"}),
            "aten::mm 300 450 150\n");
  EXPECT_EQ(rows_text(report, "diff_step", {"name", "change_time"}).substr(0, 9), "Step 200\n");
}

}  // namespace
}  // namespace sightline::analyses
