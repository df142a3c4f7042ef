// The overview: steps, their average, devices, and the notes about left-out steps.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "model/stated_names.h"
#include "tests/support/ranks.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// The panel of this id; an empty one if there is none.
Panel panel_of(const Report& report, std::string_view id) {
  for (const Panel& panel : report.panels) {
    if (panel.id == id) return panel;
  }
  return {};
}

ProfilePtr training() {
  return text_profile(R"(
    rank 1 of 4
    meta cuda_driver_version = 12.2
    device 0: Big GPU [memory=16000 cc=7.0 cores=80]
    thread 1: 0-100 step 5, 0-20 data next, 30-90 op a, 40-50 runtime l [corr=1], 100-180 step 6, 110-170 op a, 120-130 runtime l [corr=2], 180-200 step 7
    stream 7: 60-110 k [corr=1 blocks=0.5 occ=40], 130-160 k [corr=2]
  )");
}

// A value that the file's own summary repeats is shown once, one that differs twice.
TEST(Overview, VersionsOfTheSummary) {
  const Report report = run_view(text_profile(R"(
    meta driver_version = 2.1
    meta summary.driver_version = 2.1
    meta runtime_version = 3.0
    meta summary.runtime_version = 3.5
    meta summary.compiler_version = 7
    stream 7: 0-10 k
  )"),
                                 "overview");
  std::string versions;
  for (const Panel& panel : report.panels) {
    for (const Fact& fact : panel_facts(panel)) {
      if (fact.label.find("version") != std::string::npos) versions += fact.label + "=" + cell_text(fact.value) + " ";
    }
  }
  EXPECT_EQ(versions, "Driver version=2.1 Runtime version=3.0 Runtime version=3.5 Compiler version=7 ");
}

TEST(Overview, StepsAndTheirParts) {
  // Step 5: 0-110 (its kernel ends at 110): kernel 60-110 = 50, runtime 40-50, loader 0-20, host 30-40 + 50-60, other 20-30.
  // Step 6: 110-180: kernel 30, runtime 120-130, host 110-120 + 160-170, other 170-180. Step 7 has no device work.
  const Report report = run_view(training(), "overview");
  EXPECT_EQ(rows_text(report, "steps", {"step", "start", "total", "kernel", "runtime", "dataloader", "host", "other"}),
            "5 0 110 50 10 20 20 10\n"
            "6 110 70 30 10 0 20 10\n");
  EXPECT_EQ(rows_text(report, "average", {"category", "time", "share"}),
            "kernel 40 0.444444\nmemcpy 0 0\nmemset 0 0\nruntime 10 0.111111\ndataloader 10 0.111111\nhost 20 0.222222\nother 10 "
            "0.111111\n");
  EXPECT_EQ(report.scope, "steps 5-6");
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes.front().text,
            "Step 7 is left out: the recording ended before the device work launched there was complete (device events: 0; 1 in "
            "step 6).");
}

// Rank 0 computes for 40 and then waits for rank 1, which computes for 80; the data moves in 10.
TEST(Overview, WhatOtherRanksTell) {
  const auto text = [](int rank, int computing, int of = 2) {
    const std::string end = std::to_string(computing);
    return "rank " + std::to_string(rank) + " of " + std::to_string(of) + "\nthread 1: 0-95 step 1\nstream 7: 0-" + end +
           " k\nstream 8: " + end + "-90 collective r [coll=all_reduce group=g n=2 seq=1]";
  };
  const Analysis& overview = *find_analysis("overview");
  const auto joined = [&](const std::vector<RankSummaryPtr>& ranks) {
    Report report = run_view(text_profile(text(0, 40)), "overview");
    overview.join_ranks(report, ranks, *ranks.front());
    return report;
  };
  const auto ids = [](const Report& report) {
    std::string all;
    const Panel panel = panel_of(report, "advice");
    for (const Advice& advice : std::get<AdviceList>(panel.content).items) all += advice.id + " ";
    return all;
  };
  const auto strip = [](const Report& report) {
    std::string all;
    const Panel panel = panel_of(report, "verdict");
    for (const VerdictItem& item : std::get<VerdictStrip>(panel.content).items)
      all += item.id + "=" + item.value + " (" + item.note + ") ";
    return all;
  };
  const Report report = joined({rank_of("w0", text(0, 40)), rank_of("w1", text(1, 80))});
  EXPECT_EQ(ids(report), "exposed_communication ");
  const Panel panel = panel_of(report, "advice");
  const Advice& cause = std::get<AdviceList>(panel.content).items.front();
  EXPECT_NE(cause.evidence.find("A rank computes longer than the others: w1 takes 80 ns a step, w0 takes 40 ns"),
            std::string::npos)
      << cause.evidence;
  EXPECT_NE(strip(report).find("bound=communication (52.6% of the step; it waits for other ranks for 40 ns)"), std::string::npos)
      << strip(report);
  EXPECT_NE(strip(report).find("first=find out why w1 comes late to collectives () gain=\u221250 ns"), std::string::npos)
      << strip(report);
  const std::vector<RankSummaryPtr> both{rank_of("w0", text(0, 40)), rank_of("w1", text(1, 80))};
  Report last = run_view(text_profile(text(1, 80)), "overview");
  overview.join_ranks(last, both, *both.back());
  EXPECT_NE(strip(last).find("; other ranks wait for it for 40 ns)"), std::string::npos) << strip(last);
  EXPECT_EQ(strip(last).find("find the rank that the others wait for"), std::string::npos) << strip(last);
  const std::string alone = "exposed_communication ";
  EXPECT_EQ(ids(joined({rank_of("w0", text(0, 40))})), alone);
  EXPECT_EQ(ids(joined({rank_of("w0", text(0, 40)), rank_of("other", text(0, 80))})), alone) << "two jobs in one folder";
  EXPECT_EQ(ids(joined({rank_of("w0", text(0, 40)), rank_of("other", text(1, 80, 8))})), alone) << "of another job";
}

TEST(Overview, OperatorsWithoutKernels) {
  const Report report = run_view(text_profile(R"(
    words NeuronDevice, Tensor engines, NeuronCore
    program -: dot
    ran dot: 0 0 1 10, 1 0 1 10
    thread 1: 0-40 op dot
  )"),
                                 "overview");
  EXPECT_EQ(report.notes.front().text.substr(0, 25), "No kernels were recorded,");
  for (const Panel& panel : report.panels) {
    if (panel.id != "configuration") continue;
    EXPECT_EQ(cell_text(panel_facts(panel).front().value), "2 x NeuronDevice");
  }
}

// Steps that the reader left out count, and are reported in the reader's words.
TEST(Overview, StepsThatTheReaderLeftOutCount) {
  const auto profile = parse_text_profile("thread 1: 0-40 step 3");
  profile->add_problem(Severity::note, stated::kStepsLeftOut, "2 steps ended early", 2, kUnknown);
  const Report report = run_view(ProfilePtr(std::make_shared<const Profile>(std::move(*profile))), "overview");
  EXPECT_EQ(report.notes.front().text, "2 steps ended early.");
  for (const Panel& panel : report.panels) {
    for (const Fact& fact : panel_facts(panel)) {
      if (fact.label == "Steps left out") {
        EXPECT_EQ(cell_text(fact.value), "2");
      }
    }
  }
}

// The note and the figures agree: time of compiled programs on the host is host time, 0-30 of the step here.
TEST(Overview, ProgramsOfTheHost) {
  const Report report = run_view(text_profile(R"(
    program f: dot, add
    thread 1: 0-40 step 1
    thread 2: 0-20 op dot [does=dot], 20-30 op add [does=add]
  )"),
                                 "overview");
  EXPECT_EQ(report.notes.front().text.substr(0, 69), "The compiled programs ran on the host: their time counts as Host here");
  EXPECT_EQ(rows_text(report, "average", {"category", "time"}), "dataloader 0\nhost 30\nother 10\n");
  for (const Panel& panel : report.panels) {
    if (panel.id == "configuration") {
      EXPECT_EQ(cell_text(panel_facts(panel).front().value), "host only");
    } else if (panel.id == "devices") {
      EXPECT_EQ(panel.empty, "No device did any work: the compiled programs ran on the host.");
    }
  }
}

TEST(Overview, Devices) {
  // Window 0-180: kernels 80 of it; blocks 0.5 x 50; occupancy known for one kernel.
  EXPECT_EQ(rows_text(run_view(training(), "overview"), "devices",
                      {"device", "name", "memory", "compute_capability", "cores", "utilization", "sm_efficiency", "occupancy",
                       "tensor_core_share"}),
            "0 Big GPU 16000 7.0 80 0.444444 0.138889 40 0\n");
}

TEST(Overview, AGraphReplayedOutsideOfOperatorsCounts) {
  // 1000 of 1001 on matrix units; kernels run 1001 of the 1110 that the recording has.
  const Report report = run_view(text_profile(R"(
    words GPU, matrix cores, CU
    thread 1: 0-30 op fill, 5-10 runtime l [corr=1], 50-60 runtime g [corr=2]
    stream 7: 40-41 k [corr=1], 70-1070 gemm [corr=2 matrix], 1100-1110 memset z
  )"),
                                 "overview");
  EXPECT_EQ(rows_text(report, "devices", {"utilization", "tensor_core_share"}), "0.901802 0.999001\n");
  EXPECT_EQ(rows_text(report, "steps", {"step", "total", "kernel", "memset"}), "0 1110 1001 10\n");
}

TEST(Overview, ReportsComputedOccupancy) {
  const Report report = run_view(text_profile("stream 7: 0-10 a [occ=50], 10-20 b [occ=25 computed_for_zero]"), "overview");
  const auto devices = std::find_if(report.panels.begin(), report.panels.end(), [](const Panel& p) { return p.id == "devices"; });
  ASSERT_EQ(devices->notes.size(), 1u);
  EXPECT_EQ(
      devices->notes[0].text,
      "For 1 kernel the file wrongly states an occupancy of 0; it is computed here from the launch and the properties of the "
      "device.");
  EXPECT_EQ(rows_text(report, "devices", {"occupancy"}), "37.5\n");
}

// Steps of 20 on the host, while the device is a whole step behind: 20 + 30 + 30.
TEST(Overview, ReportsThatTheHostRunsAhead) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-20 step 1, 1-2 runtime l [corr=1], 20-40 step 2, 21-22 runtime l [corr=2], 40-60 step 3, 41-42 runtime l [corr=3]
    stream 7: 10-40 k [corr=1], 40-70 k [corr=2], 70-95 k [corr=3], 95-100 collective c [corr=3]
  )"),
                                 "overview");
  const auto chart = std::find_if(report.panels.begin(), report.panels.end(), [](const Panel& p) { return p.id == "step_sums"; });
  ASSERT_NE(chart, report.panels.end());
  ASSERT_EQ(chart->notes.size(), 1u);
  // Step 2 begins 20 before its window does (40), step 3 30 before (70).
  EXPECT_EQ(
      chart->notes[0].text,
      "The host runs ahead: 2 of 3 steps begin there, by 25 ns on average, while the device still works on the step before. That "
      "time is part of their preparing, which the bars therefore leave out.");
}

TEST(Overview, ManyStepsHavePercentiles) {
  // 20 steps of 1 to 20 ns: 10 of them last at most 10, 18 at most 18, all 20 at most 20.
  std::string steps = "thread 1: 0-1 step 1";
  for (int step = 2, start = 1; step <= 20; start += step++) steps += fmt::format(", {}-{} step {}", start, start + step, step);
  const Report report = run_view(text_profile(steps), "overview");
  std::string facts;
  for (const Fact& fact : panel_facts(panel_of(report, "configuration"))) {
    if (fact.label.starts_with("Step time")) facts += fact.label + ": " + cell_text(fact.value) + "\n";
  }
  EXPECT_EQ(facts, "Step time, p50: 10\nStep time, p90: 18\nStep time, p99: 20\n");
}

TEST(Overview, FactsNameVersionsAndTheJob) {
  const Report report = run_view(training(), "overview");
  std::string facts;
  for (const Fact& fact : panel_facts(panel_of(report, "configuration")))
    facts += fact.label + ": " + cell_text(fact.value) + "\n";
  EXPECT_EQ(facts,
            "Device: Big GPU\nRank: 1\nWorld size: 4\nEvents: 10\nSpan: 200\nSteps: 3\nSteps left out: 1\nAverage step: 90\n"
            "CUDA driver version: 12.2\n");
}

TEST(Overview, ADeviceWithoutANameHasTheReadersWord) {
  const Report npu =
      run_view(text_profile("words NPU, AI cores, AI core\nthread 1: 0-10 op a\nstream 7 of 3: 2-5 k"), "overview");
  EXPECT_EQ(cell_text(panel_facts(panel_of(npu, "configuration")).front().value), "NPU 3");
  const Report plain = run_view(text_profile("thread 1: 0-10 op a\nstream 7 of 3: 2-5 k"), "overview");
  EXPECT_EQ(cell_text(panel_facts(panel_of(plain, "configuration")).front().value), "device 3");
}

TEST(Overview, RecommendsStepMarksOnlyIfAHostWasRecorded) {
  const Report both = run_view(text_profile("thread 1: 0-10 op a\nstream 7: 2-5 k"), "overview");
  ASSERT_EQ(both.notes.size(), 1u);
  EXPECT_EQ(both.notes.front().text,
            "No steps were recorded: the extent of all operators and device work counts as one step, numbered 0. Mark every "
            "iteration to "
            "see steps: by step() of torch.profiler, or by StepTraceAnnotation of jax.profiler.");
  const Report device = run_view(text_profile("stream 7: 2-5 k"), "overview");
  ASSERT_EQ(device.notes.size(), 2u);
  EXPECT_EQ(device.notes.back().text, "No steps were recorded: the extent of all device work counts as one step, numbered 0.");
}

TEST(Overview, PartsLinkToTheirViews) {
  EXPECT_EQ(rows_text(run_view(training(), "overview"), "average", {"category", "of_kernels", "of_operators"}),
            "kernel yes no\nmemcpy no yes\nmemset no yes\nruntime no yes\ndataloader no yes\nhost no yes\nother no no\n");
}

TEST(Overview, WithoutDevicesHidesTheirParts) {
  const Report report = run_view(text_profile("thread 1: 0-100 step 1, 0-60 op a"), "overview");
  EXPECT_EQ(rows_text(report, "average", {"category", "time"}), "dataloader 0\nhost 60\nother 40\n");
  EXPECT_EQ(rows_text(report, "steps", {"kernel", "host", "other"}), "- 60 40\n");
  EXPECT_EQ(rows_text(report, "devices", {"device"}), "");
}

TEST(Overview, WithoutAHostItsPartsAreUnknown) {
  // 2-9 = 7: kernel 2-5 and 8-9 = 4; the copy 6-7 = 1; the rest 2. A profiler's own cost is not host time.
  for (const std::string window : {"", "thread 1: 0-10 overhead lazy_loading\n"}) {
    const Report report = run_view(text_profile(window + "stream 7: 2-5 k, 6-7 memcpy DtoH, 8-9 k"), "overview");
    EXPECT_EQ(rows_text(report, "steps", {"total", "kernel", "memcpy", "memset", "runtime", "dataloader", "host", "other"}),
              "7 4 1 0 - - - 2\n");
    EXPECT_EQ(rows_text(report, "average", {"category", "time"}), "kernel 4\nmemcpy 1\nmemset 0\nother 2\n");
    EXPECT_EQ(report.notes.front().text,
              "No host thread was recorded: what the host did in a step (runtime, data loading, host) is unknown, and counts as "
              "Other.");
  }
}

TEST(Overview, HidesPropertiesThatNoDeviceHas) {
  const auto shown = [](const char* device) {
    const Report report = run_view(text_profile(std::string(device) + "thread 1: 0-10 op a\nstream 7: 2-5 k"), "overview");
    std::string keys;
    for (const ReportColumn& column : report.find_table("devices")->columns) keys += column.hidden ? "" : " " + column.key;
    return keys;
  };
  EXPECT_EQ(shown("device 0: Big GPU [memory=16000 cc=7.0 cores=80]\n"),
            " device name utilization tensor_core_share memory compute_capability cores");
  EXPECT_EQ(shown("device 0: Big GPU [memory=16000]\n"), " device name utilization tensor_core_share memory");
}

TEST(Overview, AveragesLeaveOutEmptySteps) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 step 1, 50-60 runtime l [corr=1], 100-200 step 2, 150-160 runtime l [corr=2]
    stream 7: 60-300 k [corr=1]
    stream 8: 280-290 k [corr=2]
  )");
  const Report report = run_view(profile, "overview");
  EXPECT_EQ(rows_text(report, "steps", {"step", "total", "kernel"}), "1 300 240\n2 0 0\n");
  EXPECT_EQ(rows_text(report, "average", {"category", "time"}).substr(0, 11), "kernel 240\n");
}

TEST(Overview, ReportsWhatRepresentsSteps) {
  const Report report = run_view(text_profile("thread 1: 10-100 op a"), "overview");
  EXPECT_EQ(report.notes.front().text.substr(0, 61), "No steps were recorded: the extent of all operators and devic");
  EXPECT_EQ(rows_text(report, "steps", {"step", "start", "total"}), "0 10 90\n");
}

TEST(Overview, IsUnavailableWithoutSlices) {
  EXPECT_TRUE(find_analysis("overview")->unavailable(*text_profile("meta a = b")).has_value());
}

TEST(Overview, IsUnavailableWhereMemoryAloneIsRecorded) {
  const auto reason = [](const std::string& text) {
    const auto profile = text_profile(text + "\nmemory 0: 10 64 64");
    return std::string(find_analysis("overview")->unavailable(*profile).value_or(Message()));
  };
  EXPECT_EQ(reason("thread 1: 0-100 annotation a"), "it records memory, and no work: see Memory");
  EXPECT_EQ(reason("thread 1: 0-100 op a"), "");
}

}  // namespace
}  // namespace sightline::analyses
