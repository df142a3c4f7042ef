// enclosing_modules: on one thread, across overflow lanes, along flows and owners.
#include "model/modules.h"

#include <gtest/gtest.h>

#include "tests/support/text_profile.h"

namespace sightline::model {

using namespace tests;
namespace {

// "slice: module", by row, for slices that belong to one.
std::string modules_of(const Profile& p) {
  const std::vector<Row> module_of = enclosing_modules(p);
  std::string text;
  for (Row i = 0; i < module_of.size(); ++i) {
    if (module_of[i] == kNoRow) continue;
    text.append(p.text(p.slices.name[i])).append(": ").append(p.text(p.slices.name[module_of[i]])).append("; ");
  }
  return text;
}

TEST(EnclosingModules, TheInnermostCallOpenWhenASliceStarts) {
  EXPECT_EQ(
      modules_of(*text_profile("thread 1: 0-100 python main, 10-90 module Net, 20-50 module Conv, 20-30 op conv, 60-70 op add\n"
                               "thread 1+: 5-15 step 1, 45-65 op overlapping\n"
                               "thread 2: 20-30 op elsewhere\n")),
      "Net: Net; Conv: Conv; conv: Conv; add: Net; overlapping: Conv; ");
}

TEST(EnclosingModules, ARangeThatStartsWithAModuleAndOutlastsItIsNotInside) {
  EXPECT_EQ(modules_of(*text_profile("thread 1: 10-90 module Net\nthread 1+: 10-95 op longer\n")), "Net: Net; ");
}

TEST(EnclosingModules, DeviceWorkBelongsWhereItWasLaunched) {
  EXPECT_EQ(modules_of(*text_profile("thread 1: 0-100 module Net, 10-50 op conv, 20-25 runtime launch [corr=1]\n"
                                     "stream 7: 200-220 kernel gemm [corr=1], 230-240 kernel other\n")),
            "Net: Net; conv: Net; launch: Net; gemm: Net; ");
}

TEST(EnclosingModules, ABackwardOperatorAndItsSlicesFollowTheForwardOperator) {
  const auto p = parse_text_profile(
      "thread 1: 0-100 module Net, 10-50 op conv\n"
      "thread 2: 200-250 op conv_backward, 210-220 op inner, 300-310 op other\n");
  p->flows.kind.push_back(FlowKind::forward_backward);
  p->flows.from.push_back(1);
  p->flows.to.push_back(2);
  EXPECT_EQ(modules_of(*p), "Net: Net; conv: Net; conv_backward: Net; inner: Net; ");
}

TEST(EnclosingModules, AreEmptyWithoutModuleCalls) {
  EXPECT_TRUE(enclosing_modules(*text_profile("thread 1: 0-100 op conv\n")).empty());
}

}  // namespace

}  // namespace sightline::model
