// Scenarios: each change worked by hand, what is refused, and the view.
#include "analyses/whatif/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analyses/whatif/bound.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// Two kernels and a copy, launched by two operators of a module; the host waits for the copy.
ProfilePtr scenario_training() {
  return text_profile(R"(
    thread 1: 0-100000 step 1, 2000-6000 data next, 8000-30500 module Net [instance=1], 9000-20000 op aten::mm, 10000-15000 runtime launch [corr=1], 20000-30000 op aten::relu, 22000-25000 runtime launch [corr=2], 31000-90000 runtime copyAsync [corr=3]
    stream 7: 20000-50000 gemm [corr=1], 50000-60000 relu_kernel [corr=2], 61000-85000 memcpy DtoH [corr=3]
  )");
}

// The mean step in ns with these changes.
double step_if(const ProfilePtr& profile, std::string_view changes) {
  const DependencyGraph graph = build_dependency_graph(*profile);
  const WorkSelection selection(profile, graph);
  const auto scenario = make_scenario(profile, graph, selection, changes);
  if (!scenario) throw std::invalid_argument(scenario.error().message);
  return predict(graph, scenario->change).mean;
}

std::string refusal(std::string_view changes) {
  try {
    return std::to_string(step_if(scenario_training(), changes));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Scenario, NoChange) {
  EXPECT_EQ(step_if(scenario_training(), ""), 100'000);
  EXPECT_EQ(step_if(scenario_training(), " ; \n"), 100'000);
}

// Half of gemm is 15,000; everything after it follows.
TEST(Scenario, DeviceWorkByAnyOfItsNames) {
  for (const char* change : {"kernel:gemm*0.5", "kernel:GEM * 0.5", "operator:aten::mm*0.5", "kernel:\"gemm\"*0.5"})
    EXPECT_EQ(step_if(scenario_training(), change), 85'000) << change;
  // Both kernels: 15,000 + 5,000.
  EXPECT_EQ(step_if(scenario_training(), "module:Net*0.5"), 80'000);
  EXPECT_EQ(step_if(scenario_training(), "category:other kernels*0.5"), 80'000);
  EXPECT_EQ(step_if(scenario_training(), "kernel:gemm*0.5; kernel:relu_kernel*0.5"), 80'000);
  // The copy takes 24,000.
  EXPECT_EQ(step_if(scenario_training(), "category:copy free"), 76'000);
  EXPECT_EQ(step_if(scenario_training(), "category:copy*2"), 124'000);
}

TEST(Scenario, TheHost) {
  // gemm is launched at (10,000 - 4,000) / 2 + 4,000 of loading = 7,000 instead of 10,000, so the copy and what the host does
  // after it come 3,000 earlier; and the 10,000 after the copy are 5,000.
  EXPECT_EQ(step_if(scenario_training(), "host*0.5"), 92'000);
  EXPECT_EQ(step_if(scenario_training(), "data-loading*0"), 96'000);
  EXPECT_EQ(step_if(scenario_training(), "data-loading*0.5"), 98'000);
  // Of aten::mm, 1,000 are before its launch.
  EXPECT_EQ(step_if(scenario_training(), "host:aten::mm*0"), 99'000);
}

// The copying call ends 2,000 after it began; the step's device work ends at 85,000, later than the host.
TEST(Scenario, NoWaits) { EXPECT_EQ(step_if(scenario_training(), "no-sync"), 85'000); }

// The launches are at 10,000, so gemm begins then and ends at 40,000; the copy ends at 50,000 + 1,000 + 24,000 and the host
// 15,000 later.
TEST(Scenario, OneGraph) { EXPECT_EQ(step_if(scenario_training(), "one-graph"), 90'000); }

// Nothing but the step waits for the collective: the wait ends at 22,000 (2,000 after its beginning).
TEST(Scenario, AHiddenCollective) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100000 step 1, 10000-11000 runtime launch [corr=1], 20000-80000 runtime streamSynchronize
    stream 7: 12000-75000 collective ncclAllReduce [corr=1]
  )");
  // The wait ends 5,000 after the collective's begin, but lasts 2,000 at least; the collective itself ends at 75,000.
  EXPECT_EQ(step_if(profile, "collective:ncclAllReduce hidden"), 75'000);
  EXPECT_EQ(step_if(profile, "collective:ncclAllReduce free"), 42'000);
}

// gemm takes 30,000, relu_kernel 10,000.
TEST(Scenario, KernelsShorterThanATime) {
  EXPECT_EQ(step_if(scenario_training(), "shorter:20us free"), step_if(scenario_training(), "kernel:relu_kernel free"));
  EXPECT_EQ(refusal("shorter:5ns free"), "no kernel takes less than 5ns");
  for (const char* change : {"shorter:x free", "shorter:10 free", "shorter:10us"})
    EXPECT_TRUE(refusal(change).starts_with("'" + std::string(change) + "' is no change")) << change;
}

// The collective is launched at 10,000 and ends at 70,000; `next` was launched at 21,000 on a stream that is free, and begins
// 5,000 after the collective's end: it waited for it, though no event says so.
TEST(Scenario, AWaitThatNoEventStates) {
  const auto profile = [](int start) {
    return text_profile(
        "thread 1: 0-100000 step 1, 10000-11000 runtime launch [corr=1], 20000-21000 runtime launch [corr=2]\n"
        "stream 7: " +
        std::to_string(start) + "-99000 next [corr=2]\nstream 8: 12000-70000 collective r [corr=1]\n");
  };
  EXPECT_EQ(build_dependency_graph(*profile(75'000)).unstated_waits, 1);
  EXPECT_EQ(build_dependency_graph(*profile(90'001)).unstated_waits, 0);  // too long after the collective's end
  const ProfilePtr waits = text_profile(R"(
    thread 1: 0-30000 step 1, 10000-11000 runtime launch [corr=1], 20000-21000 runtime launch [corr=2]
    stream 7: 75000-95000 next [corr=2]
    stream 8: 12000-70000 collective r [corr=1]
  )");
  // The collective takes no time: `next` begins 5,000 after 12,000, but not before the usual latency of a launch, 2,000, after
  // 20,000.
  EXPECT_EQ(step_if(waits, "collective:r free"), 42'000);
}

TEST(Scenario, WhatIsRefused) {
  EXPECT_EQ(refusal("kernel:conv*0.5"), "nothing fits 'kernel:conv'; those with most device time: gemm, DtoH, relu_kernel");
  EXPECT_EQ(refusal("collective:x free"), "nothing fits 'collective:x'; those with most device time: -");
  EXPECT_EQ(refusal("host:aten::add*0"),
            "nothing on the host is named 'aten::add': give the whole name of an operator, a call or another range");
  EXPECT_EQ(refusal("kernel:gemm*-1"), "the factor of 'kernel:gemm*-1' must be from 0 to 1000");
  for (const char* change : {"gemm", "gemm*0.5", "kernel:*0.5", "kernel:gemm", "no-sync*2", "host", "host hidden", "speed:x*1"})
    EXPECT_TRUE(refusal(change).starts_with("'" + std::string(change) + "' is no change; changes are: kernel:NAME*0.5"))
        << change;
  EXPECT_EQ(refusal("roofline"),
            "'roofline' changes nothing: no work here has a known cost and takes longer than the device's known peaks allow");
}

// gemm ends 15,000 earlier; the host's wait, which is drawn as idle, ends with the copy.
TEST(WhatIf, OneStepBeforeAndAfter) {
  const Report report = run_view(scenario_training(), "what_if", {{"change", "kernel:gemm*0.5"}});
  const std::string rows = rows_text(report, "before_after", {"times", "lane", "name", "start", "length", "hue"});
  EXPECT_NE(rows.find("recorded stream 7 gemm 20000 30000 kernel\n"), std::string::npos) << rows;
  EXPECT_NE(rows.find("Predicted stream 7 gemm 20000 15000 kernel\n"), std::string::npos) << rows;
}

TEST(WhatIf, TheView) {
  const Report report = run_view(scenario_training(), "what_if", {{"change", "kernel:gemm*0.5"}});
  EXPECT_EQ(rows_text(report, "steps", {"step", "recorded", "predicted", "gain"}), "1 100000 85000 0.15\n");
  EXPECT_EQ(rows_text(report, "changes", {"change", "names", "works", "time", "at_most"}), "kernel:gemm*0.5 1 1 30000 no\n");
  // Device time 64,000. Free: relu_kernel begins at 32,000, as long after its launch as gemm, and not at 20,000;
  // likewise the copy at 41,000.
  EXPECT_EQ(rows_text(report, "gains", {"kind", "name", "works", "time", "share", "half", "free"}),
            "kernel gemm 1 30000 0.46875 0.15 0.18\n"
            "kernel DtoH 1 24000 0.375 0.12 0.24\n"
            "kernel relu_kernel 1 10000 0.15625 0.05 0.1\n"
            "operator aten::mm 1 30000 0.46875 0.15 0.18\n"
            "operator aten::relu 1 10000 0.15625 0.05 0.1\n"
            "module Net 2 40000 0.625 0.2 0.2\n"
            "category other kernels 2 40000 0.625 0.2 0.2\n"
            "category copy 1 24000 0.375 0.12 0.24\n"
            "host All code - - - 0.08 0.16\n");
}

// ---- what bounds the steps ----

// The host launches a and goes on: nothing waits for a.
ProfilePtr host_bound_training() {
  return text_profile(R"(
    thread 1: 0-100000 step 1, 10000-15000 runtime launch [corr=1]
    stream 7: 20000-30000 a [corr=1]
  )");
}

TEST(StepBound, IsNamedWithTheChangesThatWin) {
  const Report report = run_view(host_bound_training(), "what_if");
  const auto gains =
      std::find_if(report.panels.begin(), report.panels.end(), [](const Panel& panel) { return panel.id == "gains"; });
  ASSERT_EQ(gains->notes.size(), 1u);
  EXPECT_EQ(
      std::string(gains->notes[0].text),
      "The host bounds the steps: 100.0% of the critical path is its code and its calls, so faster device work wins little. Of "
      "the broad changes, host*0.5 wins 50.0%.");
  EXPECT_EQ(rows_text(report, "gains", {"kind", "name", "half", "free"}),
            "kernel a 0 0\ncategory other kernels 0 0\nhost All code 0.5 0.8\n");
}

TEST(StepBound, GivesTheReasonWhenNothingIsWon) {
  const auto says = [](const ProfilePtr& profile, const char* change) {
    const Report report = run_view(profile, "what_if", {{"change", change}});
    return std::any_of(report.notes.begin(), report.notes.end(),
                       [](const Note& note) { return std::string(note.text).starts_with("These changes gain nothing"); });
  };
  EXPECT_TRUE(says(host_bound_training(), "kernel:a*0.5"));
  EXPECT_FALSE(says(host_bound_training(), "host*0.5"));
  EXPECT_FALSE(says(scenario_training(), "kernel:gemm*0.5"));
}

TEST(StepBound, SharesOfThePath) {
  // From 100,000 back: host 10,000; wait 5,000; copy 24,000 from 61,000 on; 1,000 between; relu and gemm from 20,000 on; the
  // launch, latency 5,000 and call 5,000; host 10,000.
  const ProfilePtr profile = scenario_training();
  const StepBound bound = step_bound(*profile, build_dependency_graph(*profile));
  EXPECT_DOUBLE_EQ(bound.host, 0.25);
  EXPECT_DOUBLE_EQ(bound.device, 0.65);
  EXPECT_DOUBLE_EQ(bound.collective, 0);
}

}  // namespace
}  // namespace sightline::analyses
