// The Lightning view: modules by their dotted names, hooks by nesting, as today's profiler and as older ones record them.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// One training step: the hook holds the forward pass of net (two layers, one of them inside a container that is never called
// itself) and another hook.
ProfilePtr lightning_training() {
  return text_profile(R"(
    thread 1: 0-100 annotation "[pl][profile]run_training_batch", 5-70 annotation "[pl][profile][Strategy]SingleDeviceStrategy.training_step", 10-60 annotation "[pl][module]my.models.Net: net", 12-30 annotation "[pl][module]torch.nn.modules.linear.Linear: net.layers.0", 14-28 op aten::linear, 16-18 runtime l [corr=1], 32-50 annotation "[pl][module]torch.nn.modules.linear.Linear: net.layers.1", 34-48 op aten::linear, 36-38 runtime l [corr=2], 52-58 op aten::add, 80-90 annotation "[pl][profile][LightningModule]Net.optimizer_step"
    stream 7: 30-50 gemm [corr=1]
    stream 8: 45-55 gemm [corr=2]
  )");
}

TEST(Lightning, ModulesByTheirDottedNames) {
  const Report report = run_view(lightning_training(), "lightning");
  // net: 50 on the host, 14 in no layer, of which add has 6. The container sums up its layers.
  EXPECT_EQ(rows_text(report, "modules", {"name", "type", "parent", "calls", "operators", "host_total", "host_own", "host_self"}),
            "net Net - 1 1 50 14 8\n"
            "net.layers - 0 0 0 36 0 -\n"
            "net.layers.0 Linear 1 1 1 18 18 4\n"
            "net.layers.1 Linear 1 1 1 18 18 4\n");
  EXPECT_EQ(rows_text(report, "modules", {"name", "device_total", "device_self", "device_busy", "longest_slice"}),
            "net 30 0 25 2\n"
            "net.layers 30 0 - -\n"
            "net.layers.0 20 20 20 3\n"
            "net.layers.1 10 10 10 6\n");
}

TEST(Lightning, HooksByNesting) {
  EXPECT_EQ(rows_text(run_view(lightning_training(), "lightning"), "hooks",
                      {"name", "parent", "calls", "host_total", "host_own", "device_total", "device_self"}),
            "run_training_batch - 1 100 25 30 0\n"
            "[Strategy]SingleDeviceStrategy.training_step 0 1 65 65 30 30\n"
            "[LightningModule]Net.optimizer_step 0 1 10 10 0 0\n");
}

TEST(Lightning, FlameGraphsOfBoth) {
  const Report report = run_view(lightning_training(), "lightning", {{"time", "host"}});
  EXPECT_EQ(rows_text(report, "modules", {"name", "parent", "width"}),
            "net - 50\nnet.layers 0 36\nnet.layers.0 1 18\nnet.layers.1 1 18\n");
  EXPECT_EQ(report.panels.size(), 4u);
}

TEST(Lightning, UnavailableWithoutItsRanges) {
  const Analysis& view = *find_analysis("lightning");
  EXPECT_FALSE(view.unavailable(*lightning_training()).has_value());
  EXPECT_EQ(view.unavailable(*text_profile("thread 1: 0-10 annotation pl")),
            "not recorded by PyTorch Lightning's PyTorchProfiler: it has no [pl][profile] or [pl][module] ranges");
}

}  // namespace
}  // namespace sightline::analyses
