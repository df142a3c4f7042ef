// Titles of columns that msprof names.
#include <gtest/gtest.h>

#include "analyses/ascend/ascend.h"

namespace sightline::analyses {

TEST(AscendColumnTitle, PipelinesAreSpelledOut) {
  EXPECT_EQ(ascend_column_title("aic_mte2_ratio"), "Cube core MTE2 share");
  EXPECT_EQ(ascend_column_title("other_name"), "");
}

TEST(AscendColumnTitle, OtherNamesGetThePagesCase) {
  EXPECT_EQ(ascend_column_title("Input Data Types"), "Input data types");
  EXPECT_EQ(ascend_column_title("HF32 Eligible"), "HF32 eligible");
  EXPECT_EQ(ascend_column_title("Task ID"), "");
  EXPECT_EQ(ascend_column_title("Name"), "");
}

}  // namespace sightline::analyses
