// The passes of a step by hand: what each piece of device work was for, with and without recorded Python functions.
#include "analyses/steps/step_passes.h"

#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::vector<std::string_view> keys_of(const Profile& profile) {
  std::vector<std::string_view> keys;
  for (const Pass pass : passes_of_work(profile)) keys.push_back(pass_key(pass));
  return keys;
}

TEST(StepPasses, AreThoseOfTheRangesAroundTheWork) {
  const ProfilePtr p = text_profile(R"(
    thread 1: 0-100 step 1, 0-20 op mm, 5-6 runtime l [corr=1], 60-90 optimizer Optimizer.step, 62-80 op add_, 65-66 runtime l [corr=4]
    thread 2: 20-50 op "autograd::engine::evaluate_function: MmBackward0", 22-40 op MmBackward0, 25-35 op mm, 28-29 runtime l [corr=2], 42-44 comm nccl [coll=all_reduce], 42-43 runtime l [corr=3]
    stream 7: 10-20 gemm [corr=1], 30-45 gemm [corr=2], 70-75 add [corr=4], 80-81 lost
    stream 8: 45-60 collective ar [corr=3]
  )");
  EXPECT_EQ(keys_of(*p), (std::vector<std::string_view>{"forward", "backward", "optimizer", "other", "communication"}));
  EXPECT_EQ(rows_text(run_view(p, "overview"), "passes", {"pass", "time"}),
            "Forward 10\nBackward 15\nOptimizer 5\nCommunication 15\nOther 1\n");
}

// relu's gradient needs activations that were not kept: the forward pass runs again inside its evaluation. First by the frame of
// the checkpoint, then by the module, then by the link from a forward operator; the evaluation of a node inside the recomputed
// region is backward again.
TEST(StepPasses, WorkThatRunsAgainInTheBackwardPassIsRecomputation) {
  const auto inside = [](std::string_view range) {
    return keys_of(*text_profile(
        R"(
    thread 2: 0-90 op "autograd::engine::evaluate_function: ReluBackward0", 5-60 )" +
        std::string(range) +
        R"(, 10-20 op conv, 12-13 runtime l [corr=1], 30-50 op "autograd::engine::evaluate_function: ConvBackward0", 35-36 runtime l [corr=2], 70-80 op threshold, 72-73 runtime l [corr=3]
    stream 7: 20-30 conv [corr=1], 40-50 dgrad [corr=2], 80-85 relu [corr=3]
  )"));
  };
  const std::vector<std::string_view> again{"recomputation", "backward", "backward"};
  EXPECT_EQ(inside("python \"torch/utils/checkpoint.py(1500): recompute_fn\""), again);
  EXPECT_EQ(inside("module \"nn.Module: Sequential_5\""), again);
  EXPECT_EQ(inside("op CheckpointFunctionBackward"), again);
  EXPECT_EQ(inside("python \"train.py(3): hook\""), (std::vector<std::string_view>{"backward", "backward", "backward"}));
}

// In a step of 100 ns at 10 operations a ns: 600 operations forward and 300 of them again take 90 ns.
TEST(StepPasses, UtilizationCountsRecomputationOnlyForTheHardware) {
  const ProfilePtr p = text_profile(R"(
    device 0: Big GPU
    thread 1: 0-100 step 1, 0-20 op mm, 5-6 runtime l [corr=1], 30-60 op "autograd::engine::evaluate_function: MmBackward0", 32-50 module "nn.Module: Net_0", 35-45 op mm, 38-39 runtime l [corr=2]
    stream 7: 10-90 gemm [corr=1], 92-99 gemm [corr=2]
    row operator_costs [name=mm family=product precision=bf16 unit=matrix flops=600 bytes_read=1 bytes_written=1]
    row operator_costs [name=mm family=product precision=bf16 unit=matrix flops=300 bytes_read=1 bytes_written=1]
    row costed_calls [slice=1 cost=0 work=7 device_time=80]
    row costed_calls [slice=5 cost=1 work=8 device_time=7]
    row device_peaks [device=0 precision=bf16 flops=1e10]
    row device_peaks [device=0 bandwidth=1e12]
  )");
  const auto passes = step_passes(p);
  EXPECT_EQ(passes->steps, 1);
  EXPECT_EQ(passes->step_time, 100);
  EXPECT_NEAR(passes->model_utilization(), 60.0 / 100, 1e-12);
  EXPECT_NEAR(passes->hardware_utilization(), 90.0 / 100, 1e-12);
}

}  // namespace
}  // namespace sightline::analyses
