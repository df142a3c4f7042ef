// The verdict: one case for each bound, computed by hand. Times are ns; an idle stretch is long from 1,000,000 on.
#include "analyses/advice/verdict.h"

#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

Verdict verdict(std::string_view text) {
  const ProfilePtr profile = text_profile(text);
  return verdict_of(*profile, *step_summary(profile));
}

// "Computing 60, Host 40": the parts that are not 0.
std::string parts_text(const Verdict& verdict) {
  std::string text;
  for (std::size_t i = 0; i < kBounds; ++i) {
    if (verdict.parts[i] == 0) continue;
    text.append(text.empty() ? "" : ", ").append(bound_title(static_cast<Bound>(i))).append(" ");
    text += cell_text(Cell{verdict.parts[i]});
  }
  return text;
}

TEST(Verdict, Device) {
  // 70 of 100 are more than two thirds.
  const Verdict two_thirds = verdict("thread 1: 0-100 step 1, 70-100 data next\nstream 7: 0-70 k");
  EXPECT_EQ(parts_text(two_thirds), "Computing 70, Data loading 30");
  EXPECT_EQ(two_thirds.bound(), Bound::device);
  // 50 of 100 are twice as much as any other part.
  const Verdict twice = verdict("thread 1: 0-100 step 1, 50-75 data next, 75-100 op a\nstream 7: 0-50 k");
  EXPECT_EQ(parts_text(twice), "Computing 50, Data loading 25, Launches 25");
  EXPECT_EQ(twice.bound(), Bound::device);
}

TEST(Verdict, Copies) {
  // The copy is hidden behind the kernel for 10 of 60.
  const Verdict of = verdict("thread 1: 0-100 step 1\nstream 7: 0-50 k\nstream 8: 40-100 memcpy HtoD");
  EXPECT_EQ(parts_text(of), "Computing 50, Memory copies 50");
  EXPECT_EQ(of.bound(), Bound::copies);
}

TEST(Verdict, Communication) {
  const Verdict of = verdict("thread 1: 0-100 step 1\nstream 7: 0-40 k\nstream 8: 30-100 collective r");
  EXPECT_EQ(parts_text(of), "Computing 40, Communication 60");
  EXPECT_EQ(of.bound(), Bound::communication);
  ASSERT_EQ(of.exposed_communication.size(), 1u);
  EXPECT_EQ(of.exposed_communication.front(), (Interval{40, 100}));
}

TEST(Verdict, DataLoading) {
  // The mean of two steps: (60 + 40) / 2.
  const Verdict of = verdict(
      "thread 1: 0-100 step 1, 0-60 data next, 61-62 runtime l [corr=1], 100-200 step 2, 100-140 data next, 141-142 runtime l "
      "[corr=2]\nstream 7: 70-100 k [corr=1], 145-200 k [corr=2]");
  // Launches: 60-70 in step 1, 140-145 in step 2.
  EXPECT_EQ(parts_text(of), "Computing 42.5, Data loading 50, Launches 7.5");
  EXPECT_EQ(of.bound(), Bound::data_loading);
  EXPECT_EQ(of.steps, 2u);
}

TEST(Verdict, Launches) {
  // Each kernel is launched after the one before has ended; Python between the launches is not recorded.
  const Verdict of = verdict(
      "thread 1: 0-100 step 1, 10-20 runtime l [corr=1], 50-60 runtime l [corr=2]\nstream 7: 20-30 k [corr=1], 60-70 k [corr=2]");
  EXPECT_EQ(parts_text(of), "Computing 20, Launches 80");
  EXPECT_EQ(of.bound(), Bound::launches);
  EXPECT_EQ(of.launches.count, 3);  // 0-20, 30-60, 70-100
  EXPECT_EQ(of.launches.longest, (Interval{30, 60}));
}

TEST(Verdict, Host) {
  // From 1 to 9 ms the host works, with a pause of 1 ms less 1 ns, which is part of its work.
  const Verdict of = verdict(
      "thread 1: 0-10000000 step 1, 0-1 runtime l [corr=1], 1000000-5000000 op slow, 5999999-9000000 op slow, 8999000-9000000 "
      "runtime l [corr=2]\nstream 7: 1-1000000 k [corr=1], 9000000-10000000 k [corr=2]");
  EXPECT_EQ(parts_text(of), "Computing 1999999, Launches 1, Host 8000000");
  EXPECT_EQ(of.bound(), Bound::host);
  ASSERT_EQ(of.host_stretches.size(), 1u);
  EXPECT_EQ(of.host_stretches.front(), (Interval{1000000, 9000000}));
}

TEST(Verdict, HostWithoutDevices) {
  const Verdict of = verdict("thread 1: 0-100 step 1, 0-60 op a");
  EXPECT_EQ(parts_text(of), "Host 60, Unexplained 40");
  EXPECT_EQ(of.bound(), Bound::host);
}

TEST(Verdict, UnknownWithAReason) {
  const auto reason = [](std::string_view text) {
    const Verdict of = verdict(text);
    EXPECT_EQ(of.bound(), Bound::unknown) << text;
    return std::string(of.reason());
  };
  EXPECT_EQ(reason("stream 7: 0-10 k, 90-100 k"), "no host thread was recorded");
  EXPECT_EQ(reason("thread 1: 0-100 step 1, 0-40 op a"), "60.0% of the step is unexplained");
  EXPECT_EQ(reason("thread 1: 0-5000000 step 1\nstream 7: 0-10 k"), "100.0% of the step is unexplained");
  // Communication is 30, launches are 26, and 40 are unexplained: they could belong to either.
  EXPECT_EQ(reason("thread 1: 0-100 step 1, 0-1 runtime l [corr=1], 1-2 runtime l [corr=2], 74-75 runtime l [corr=3]\n"
                   "stream 7: 2-5 k [corr=2], 45-75 collective c [corr=1], 99-100 k [corr=3]"),
            "40.0% of the step is unexplained");
}

// Work that was in the queue before the stretch began did not wait for the host.
TEST(Verdict, QueuedWorkIsNotTheHosts) {
  const Verdict of = verdict(
      "thread 1: 0-100 step 1, 1-2 runtime l [corr=1], 3-4 runtime l [corr=2], 5-100 op a\n"
      "stream 7: 2-30 k [corr=1], 70-100 k [corr=2]");
  EXPECT_EQ(parts_text(of), "Computing 58, Launches 2, Unexplained 40");
  EXPECT_EQ(of.bound(), Bound::device);  // less than twice the unexplained part, but more than it
  EXPECT_EQ(of.reason(), "");
}

TEST(Verdict, TheStripSaysItInOneLine) {
  const Report report = run_view(text_profile("thread 1: 0-100 step 1, 0-60 data next\nstream 7: 60-100 k"), "overview");
  const auto* strip = report.panels.front().as<VerdictStrip>();
  ASSERT_NE(strip, nullptr);
  std::string line;
  for (const VerdictItem& item : strip->items) line += item.label + ": " + item.value + " (" + item.note + ")\n";
  EXPECT_EQ(line,
            "Step time: 100 ns ()\nBound by: data loading (60.0% of the step)\ndevice busy: 40.0% ()\n"
            "First: load batches in worker processes (num_workers) ()\nAt most: \u221260 ns (\u221260.0%)\n");
  EXPECT_EQ(rows_text(report, "bounds", {"part", "time", "share", "hue"}),
            "Computing 40 0.4 kernel\nData loading 60 0.6 dataloader\n");
}

// A run that idles is never called fine, and one in which nothing is wrong names its largest item.
TEST(Verdict, WithoutAdviceTheLargestItemIsNamed) {
  const Report report = run_view(text_profile("thread 1: 0-100 step 1\nstream 7: 0-75 gemm, 75-95 add"), "overview");
  const Panel& advice = report.panels[1];
  EXPECT_TRUE(advice.as<AdviceList>()->items.empty());
  EXPECT_EQ(advice.empty, "No known bottleneck pattern matched. Largest item: gemm, with 78.9% of the kernel time.");
  const Report idle = run_view(text_profile("thread 1: 0-100 step 1\nstream 7: 0-45 gemm, 55-100 add"), "overview");
  EXPECT_FALSE(idle.panels[1].as<AdviceList>()->items.empty());
}

}  // namespace
}  // namespace sightline::analyses
