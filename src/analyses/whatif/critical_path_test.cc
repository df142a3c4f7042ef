// The critical path: each class worked by hand, and that it always covers its step.
#include "analyses/whatif/critical_path.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <random>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// "10-20 Kernels gemm\n"
std::string path_text(const ProfilePtr& profile) {
  const DependencyGraph graph = build_dependency_graph(*profile);
  const CriticalPath path(*profile, graph);
  std::string text;
  for (const GraphStep& step : graph.steps) {
    for (const PathPiece& piece : path.of(step)) {
      text += fmt::format("{}-{} {} {}\n", piece.interval.start, piece.interval.end, path_class_words(piece.of),
                          piece.slice == kNoRow ? "" : profile->text(profile->slices.name[piece.slice]));
    }
  }
  return text;
}

// Back from the end: the host after the wait, the end of the wait, b, the gap to a, a, its latency, its launch, and the operators
// and ranges before that.
TEST(CriticalPath, OfAStepWithAWait) {
  EXPECT_EQ(path_text(text_profile(R"(
    thread 1: 0-100000 step 1, 1000-3000 data next, 5000-28000 op aten::linear, 6000-27000 op aten::addmm, 10000-15000 runtime launch [corr=1], 20000-25000 runtime launch [corr=2], 30000-85000 runtime deviceSynchronize
    stream 7: 20000-50000 a [corr=1], 50500-80000 b [corr=2]
  )")),
            "0-1000 Other host code step 1\n"
            "1000-3000 Data loading next\n"
            "3000-5000 Other host code step 1\n"
            "5000-6000 Operators on the host aten::linear\n"
            "6000-10000 Operators on the host aten::addmm\n"
            "10000-15000 Runtime calls launch\n"
            "15000-20000 Launch latency a\n"
            "20000-50000 Kernels a\n"
            "50000-50500 Between device work b\n"
            "50500-80000 Kernels b\n"
            "80000-85000 Synchronization deviceSynchronize\n"
            "85000-100000 Other host code step 1\n");
}

// The device ends the step; nothing says what its first work waited for.
TEST(CriticalPath, OfADeviceAlone) {
  EXPECT_EQ(path_text(text_profile("stream 7: 10-20 a, 25-40 memcpy DtoH\nstream 8: 0-5 b")),
            "0-10 Unknown \n"
            "10-20 Kernels a\n"
            "20-25 Between device work DtoH\n"
            "25-40 Copies and fills DtoH\n");
}

TEST(CriticalPath, TheView) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100000 step 1, 8000-16000 module Net [instance=1], 10000-15000 runtime launch [corr=1]
    stream 7: 20000-120000 a [corr=1]
    stream 8: 20000-60000 collective reduce
  )"),
                                 "critical_path");
  EXPECT_EQ(rows_text(report, "classes", {"kind", "time", "pieces"}),
            "Kernels 100000 1\nOther host code 10000 2\nRuntime calls 5000 1\nLaunch latency 5000 1\n");
  EXPECT_EQ(rows_text(report, "modules", {"name", "time"}), "Net 112000\n");  // 2,000 of its own, 5,000, 5,000 and the kernel
}

// On the path: f for 10 before the operator and 5 in it before the launch, which takes 5; the latency of 10, and the kernel
// of 70.
TEST(CriticalPath, ByOperatorAndByLine) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100 step 1, 0-25 python f.py(3): f, 10-22 op aten::mm, 15-20 runtime launch [corr=1]
    stream 7: 30-100 a [corr=1]
  )"),
                                 "critical_path");
  EXPECT_EQ(rows_text(report, "operators", {"name", "time"}), "aten::mm 90\n");
  EXPECT_EQ(rows_text(report, "lines", {"line", "time"}), "f.py(3): f 100\n");
}

TEST(CriticalPath, CoversEveryStep) {
  std::mt19937_64 random(7);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 200; ++round) {
    std::string thread = "thread 1: 0-90000 step 1, 90000-180000 step 2", streams[2] = {"stream 7: 0-1 x", "stream 8: 0-1 x"};
    int busy[2] = {1, 1}, now = 10;
    for (int id = 1; now < 170'000 && id < 40; ++id) {
      const int end = now + below(8'000), stream = below(2), start = std::max(busy[stream], now - 20 + below(9'000));
      if (end / 90'000 != now / 90'000) break;
      thread += fmt::format(", {}-{} runtime {} [corr={}]", now, end, below(3) == 0 ? "streamSynchronize" : "launch", id);
      busy[stream] = start + below(12'000);
      streams[stream] += fmt::format(", {}-{} k [corr={}]", start, busy[stream], id);
      now = end + below(6'000);
    }
    const ProfilePtr profile = text_profile(thread + "\n" + streams[0] + "\n" + streams[1]);
    const DependencyGraph graph = build_dependency_graph(*profile);
    const CriticalPath path(*profile, graph);
    for (const GraphStep& step : graph.steps) {
      Time at = step.window.start;
      for (const PathPiece& piece : path.of(step)) {
        ASSERT_EQ(piece.interval.start, at);
        ASSERT_GT(piece.interval.end, at);
        at = piece.interval.end;
      }
      ASSERT_EQ(at, step.window.end);
    }
  }
}

}  // namespace
}  // namespace sightline::analyses
