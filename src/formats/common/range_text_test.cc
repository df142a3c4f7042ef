#include "formats/common/range_text.h"

#include <gtest/gtest.h>

#include "model/tables.h"

namespace sightline::formats {

namespace {

TEST(RangeText, AnOperatorHasItsNameSequenceAndShapes) {
  const auto found = operator_text("aten::mm, seq = 3, op_id = 7, sizes = [[2, 3], [3, 4]], input_op_ids = [(1, 0)]");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "aten::mm");
  EXPECT_EQ(found->sequence, 3);
  EXPECT_EQ(found->shapes, "[[2, 3], [3, 4]]");
  EXPECT_EQ(operator_text("aten::mm, op_id = 7")->sequence, kUnknown);
  EXPECT_EQ(operator_text("aten::mm")->name, "aten::mm");
  EXPECT_EQ(operator_text("FSDP::pre_forward (layer.1), op_id = 7")->name, "FSDP::pre_forward (layer.1)");
  EXPECT_EQ(operator_text("a, sizes = [[2")->shapes, "") << "cut short";
  EXPECT_FALSE(operator_text("forward"));
}

TEST(RangeText, AModuleHasItsPath) {
  EXPECT_EQ(module_text("{'Module': 'layers.0.mlp', 'TrainableParams': 12}"), "layers.0.mlp");
  EXPECT_EQ(module_text("{'Module': 'cut short"), "cut short");
  EXPECT_EQ(module_text("layers.0.mlp"), "");
}

TEST(RangeText, NamesOfStepsDifferInNumbersOnly) {
  const auto first = step_text("Step 12"), second = step_text("step_13"), other = step_text("trainStep(3/10)");
  ASSERT_TRUE(first && second && other);
  EXPECT_EQ(first->family, "step #");
  EXPECT_EQ(first->family, second->family);
  EXPECT_EQ(first->number, 12);
  EXPECT_EQ(other->family, "train step # #");
  EXPECT_EQ(other->number, 3);
  EXPECT_EQ(step_text("iteration")->number, kUnknown);
  EXPECT_LT(step_text("iter 1")->rank, step_text("batch 1")->rank);
  EXPECT_LT(step_text("batch 1")->rank, step_text("epoch 1")->rank);
  for (const char* none : {"forward", "stepping", "", "layers.0.mlp", "123"}) EXPECT_FALSE(step_text(none)) << none;
  EXPECT_EQ(step_text("step 99999999999999999999")->number, kUnknown) << "no number of 64 bits";
}

}  // namespace
}  // namespace sightline::formats
