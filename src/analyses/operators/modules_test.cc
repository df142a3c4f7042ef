// The modules view: every column worked by hand, paths, threads, the backward pass, and the flame graph's table.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

void link_backward(Profile& profile, std::string_view forward, std::string_view backward) {
  const auto first_named = [&](std::string_view name) {
    Row row = 0;
    while (profile.text(profile.slices.name[row]) != name) ++row;
    return row;
  };
  profile.flows.kind.push_back(FlowKind::forward_backward);
  profile.flows.from.push_back(first_named(forward));
  profile.flows.to.push_back(first_named(backward));
}

// Net calls Linear twice and adds once; the autograd thread undoes the first linear (and keeps its gradient) and the addition.
ProfilePtr module_training() {
  auto profile = parse_text_profile(R"(
    thread 1: 0-200 step 1, 0-100 module nn.Module: Net_0, 10-50 module nn.Module: Linear_0, 12-40 op linear, 15-20 runtime l [corr=1], 60-90 module nn.Module: Linear_0, 65-85 op linear, 70-74 runtime l [corr=2], 92-98 op add
    thread 2: 110-150 op autograd::engine::evaluate_function: AddmmBackward0, 112-140 op AddmmBackward0, 120-125 runtime l [corr=3], 150-160 op autograd::engine::evaluate_function: torch::autograd::AccumulateGrad, 165-168 op other, 170-190 op autograd::engine::evaluate_function: AddBackward0, 175-185 op AddBackward0
    stream 7: 30-55 gemm [corr=1], 130-160 gemm_back [corr=3]
    stream 8: 50-60 gemm [corr=2]
  )");
  link_backward(*profile, "linear", "AddmmBackward0");
  link_backward(*profile, "add", "AddBackward0");
  return profile;
}

TEST(Modules, EveryColumn) {
  const Report report = run_view(module_training(), "modules");
  // Net: host 100, without Linear's 40 + 30 = 30, without add as well 24. Linear: 28 and 20 of its 70 are in operators.
  // Device 25 + 10, together from 30 to 60; of 25 + 10 + 30 in all.
  EXPECT_EQ(rows_text(report, "modules", {"name", "parent", "calls", "operators", "host_total", "host_own", "host_self"}),
            "Net_0 - 1 1 100 30 24\n"
            "Linear_0 0 2 2 70 70 22\n");
  EXPECT_EQ(rows_text(report, "modules",
                      {"name", "device_total", "device_self", "device_busy", "device_share", "device_average", "host_average"}),
            "Net_0 35 0 30 0.538462 35 100\n"
            "Linear_0 35 35 30 0.538462 17.5 35\n");
  // Linear: the evaluation 40 and the accumulation 10; Net: these and the addition's 20. Device: 30, on behalf of Linear.
  EXPECT_EQ(rows_text(report, "modules", {"name", "backward_host", "backward_device", "range"}),
            "Net_0 70 30 nn.Module: Net_0\n"
            "Linear_0 50 30 nn.Module: Linear_0\n");
  EXPECT_EQ(report.scope, "3 calls of 2 modules, all threads");
}

TEST(Modules, TheTimelineLinkIsTheLongestCall) {
  const ProfilePtr profile = module_training();
  const Report report = run_view(profile, "modules");
  const auto longest = std::get<std::int64_t>(report.tables.front().find("longest_slice")->values[1]);
  EXPECT_EQ(profile->slices.start[static_cast<std::size_t>(longest)], 10);
}

TEST(Modules, AModuleHasARowBelowEachOfItsCallersAndThreadsAreMerged) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-50 module A, 0-20 module Shared, 5-15 module Shared, 100-140 module B, 110-120 module Shared
    thread 2: 0-30 module A
    thread 2+: 20-60 module C
  )");
  EXPECT_EQ(rows_text(run_view(profile, "modules"), "modules", {"name", "parent", "calls", "host_total", "host_own"}),
            "A - 2 80 60\n"
            "Shared 0 1 20 10\n"
            "Shared 1 1 10 10\n"
            "B - 1 40 30\n"
            "Shared 3 1 10 10\n"
            "C - 1 40 40\n");
}

TEST(Modules, TwoInstancesOfOneNameAreTwoRows) {
  EXPECT_EQ(
      rows_text(
          run_view(text_profile("thread 1: 0-10 module M [instance=1], 20-25 module M [instance=2], 30-33 module M [instance=1]"),
                   "modules"),
          "modules", {"name", "instance", "calls", "host_total"}),
      "M 1 2 13\nM 2 1 5\n");
}

TEST(Modules, WorkOfAModuleInsideAnOperatorIsNotItsCallersOwn) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 module Outer, 10-90 op checkpoint, 20-80 module Inner, 30-40 op mm, 32-34 runtime l [corr=1], 85-88 runtime l [corr=2]
    stream 7: 40-47 k [corr=1], 90-92 k [corr=2]
  )");
  EXPECT_EQ(rows_text(run_view(profile, "modules"), "modules",
                      {"name", "operators", "device_total", "device_self", "host_own", "host_self"}),
            "Outer 1 9 2 40 20\nInner 1 7 7 60 50\n");
}

TEST(Modules, TheSourceIsTheForwardFunctionOfItsLongestCall) {
  const ProfilePtr profile = text_profile(
      "thread 1: 0-50 module Net, 1-49 python \"module.py(9): _call_impl\", 2-48 python \"net.py(5): forward\", 10-20 module "
      "Inner, "
      "11-19 op mm, 60-65 module Net");
  EXPECT_EQ(rows_text(run_view(profile, "modules"), "modules", {"name", "source"}), "Net net.py(5): forward\nInner -\n");
}

TEST(Modules, BackwardIsUnknownWithoutLinksAndDeviceTimeWithoutDeviceWork) {
  const Report report = run_view(text_profile("thread 1: 0-10 module M"), "modules");
  EXPECT_EQ(rows_text(report, "modules", {"device_total", "device_share", "device_average", "backward_host", "backward_device"}),
            "- - - - -\n");
  EXPECT_EQ(report.tables.front().find("backward_host")->unknown, "recorded without links from forward to backward operators");
  EXPECT_TRUE(report.tables.front().find("device_total")->hidden);
}

TEST(Modules, OfOneStep) {
  const ProfilePtr profile = text_profile("thread 1: 0-50 step 1, 0-40 module M, 50-100 step 2, 55-60 module M");
  EXPECT_EQ(rows_text(run_view(profile, "modules", {{"step", "2"}}), "modules", {"name", "calls", "host_total"}), "M 1 5\n");
}

TEST(Modules, TheFlameGraphShowsOneRootInTotalOrPerCall) {
  const ProfilePtr profile = text_profile("thread 1: 0-40 module A, 5-15 module B, 50-70 module A, 100-110 module C");
  const Report whole = run_view(profile, "modules", {{"time", "host"}});
  EXPECT_EQ(rows_text(whole, "modules", {"name", "parent", "width"}), "A - 60\nB 0 10\nC - 10\n");
  EXPECT_EQ(whole.tables.front().find("width")->title, "Host total");
  const Report one = run_view(profile, "modules", {{"root", "A"}, {"width", "average"}});
  EXPECT_EQ(rows_text(one, "modules", {"name", "width"}), "A 30\nB 5\nC -\n");
  EXPECT_THROW(run_view(profile, "modules", {{"root", "B"}}), std::invalid_argument);
}

TEST(Modules, TheFlameGraphShowsDeviceTimeOnlyIfThereIsAny) {
  const auto time_of = [](const Report& report) {
    return *std::find_if(report.parameters.begin(), report.parameters.end(), [](const Parameter& p) { return p.key == "time"; });
  };
  const Report with_device = run_view(module_training(), "modules");
  EXPECT_EQ(time_of(with_device).value, "device");
  EXPECT_EQ(time_of(with_device).choices.size(), 2u);
  EXPECT_EQ(with_device.panels.front().title, "Modules by device time");
  const ProfilePtr host_only = text_profile("thread 1: 0-40 module A, 5-15 op mm");
  for (const char* view : {"modules", "call_tree"}) {
    const Report report = run_view(host_only, view);
    EXPECT_EQ(time_of(report).value, "host") << view;
    EXPECT_EQ(time_of(report).choices.size(), 1u) << view;
    EXPECT_TRUE(report.notes.empty()) << view;
    const Report by_device = run_view(host_only, view, {{"time", "device"}});
    EXPECT_EQ(time_of(by_device).value, "host") << view;
    ASSERT_EQ(by_device.notes.size(), 1u) << view;
    EXPECT_EQ(by_device.notes.front().text, "Recorded without device activity: the flame graph shows host time.");
  }
  EXPECT_EQ(run_view(host_only, "modules").panels.front().title, "Modules by host time");
}

TEST(Modules, OperatorsCanBeNarrowedToAModule) {
  const Report report = run_view(module_training(), "operators", {{"module", "nn.Module: Linear_0"}});
  EXPECT_EQ(rows_text(report, "operators", {"name", "calls", "host_total"}), "linear 2 48\n");
  EXPECT_EQ(rows_text(run_view(module_training(), "operators", {{"module", "nobody"}}), "operators", {"name"}), "");
}

TEST(Modules, UnavailableWithoutModuleCalls) {
  EXPECT_EQ(find_analysis("modules")->unavailable(*text_profile("thread 1: 0-10 op a")),
            "recorded without calls of modules: with_stack=True and with_modules=True of torch.profiler record them");
  EXPECT_EQ(find_analysis("modules")->unavailable(*text_profile("program f: dot\nthread 1: 0-10 op dot [does=dot]")),
            "recorded without calls of modules: the modules of compiled programs are in the view Operator hierarchy");
}

}  // namespace
}  // namespace sightline::analyses
