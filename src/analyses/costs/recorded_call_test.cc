#include "analyses/costs/recorded_call.h"

#include <gtest/gtest.h>

#include "analyses/costs/reproduce.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using tests::text_profile;

TEST(RecordedCall, IsTheMostFrequentOne) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-10 op mul [shapes=[[2]]], 10-20 op mul [shapes=[[4]] types=[float] strides=[[1]]]
    thread 2: 20-30 op mul [shapes=[[4]] types=[float] strides=[[1]]], 30-40 op add [shapes=[[4]]]
  )");
  const std::optional<RecordedCall> found = most_frequent_call(*profile, "mul", "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->call.input_shapes, "[[4]]");
  EXPECT_EQ(found->calls, 2);
  EXPECT_EQ(found->others, 1);
  EXPECT_EQ(most_frequent_call(*profile, "mul", "[[2]]")->calls, 1);
  EXPECT_FALSE(most_frequent_call(*profile, "mul", "[[3]]"));
}

TEST(Reproduction, QuotesWhatTheRecordingHas) {
  const std::string script = reproduction_of({"x\"); import os #", "[[2]]", "[\"float\"]", "", ""}, std::nullopt);
  EXPECT_NE(script.find("NAME = \"x\\\"); import os #\"\n"), std::string::npos);
  EXPECT_NE(script.find("TYPES = \"[\\\"float\\\"]\"\n"), std::string::npos);
  EXPECT_NE(script.find("FLOPS = None"), std::string::npos);
  EXPECT_EQ(script.find('@'), std::string::npos);
}

}  // namespace sightline::analyses
