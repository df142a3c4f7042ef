// What the names of engines' steps state, and how they become steps.
#include "formats/common/serving_steps.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "model/shared_tables.h"
#include "tests/support/text_profile.h"

namespace sightline::formats {

using namespace tests;
namespace {

std::string number(std::int64_t value) { return value == kUnknown ? "-" : std::to_string(value); }

std::string part(const ServingStep::Part& p) {
  return fmt::format("{} {} {} {} {} {}", number(p.requests), number(p.tokens), number(p.sq), number(p.sk), number(p.sqsq),
                     number(p.sqsk));
}

// "phase requests tokens padded; requests tokens sq sk sqsq sqsk of prefill; the same of decode".
std::string parsed(std::string_view name) {
  const auto step = parse_serving_step(name);
  if (!step) return "none";
  return fmt::format("{} {} {} {}; {}; {}", word_of(step->phase), number(step->requests), number(step->tokens),
                     number(step->padded_batch), part(step->prefill), part(step->decode));
}

TEST(ServingSteps, ContextAndGenerationWithSums) {
  EXPECT_EQ(parsed("execute_6147_context_2(sq6144sk7144sqsq20971520sqsk23019520)_generation_3(sq3sk6144sqsq3sqsk6144)"),
            "mixed 5 6147 -; 2 6144 6144 7144 20971520 23019520; 3 3 3 6144 3 6144");
  EXPECT_EQ(parsed("execute_64_context_0(sq0sk0sqsq0sqsk0)_generation_64(sq64sk131072sqsq64sqsk131072)"),
            "decode 64 64 -; 0 0 0 0 0 0; 64 64 64 131072 64 131072");
}

TEST(ServingSteps, ContextAndGenerationWithoutSums) {
  EXPECT_EQ(parsed("execute_context_2(14721)_generation_0(0)"), "prefill 2 14721 -; 2 14721 - - - -; 0 0 - - - -");
  EXPECT_EQ(parsed("execute_context_0(0)_generation_0(0)"), "idle 0 0 -; 0 0 - - - -; 0 0 - - - -");
}

TEST(ServingSteps, WordsInBrackets) {
  EXPECT_EQ(parsed("step[EXTEND bs=2 toks=14721 c_sq=14721 c_sqsq=108745533 c_sqsk=108745533 c_sk=14721]"),
            "prefill 2 14721 -; 2 14721 14721 14721 108745533 108745533; 0 0 0 0 0 0");
  EXPECT_EQ(parsed("step[DECODE bs=64 g_sq=128 g_sqsq=256 g_sqsk=262144 g_sk=131072]"),
            "decode 64 128 -; 0 0 0 0 0 0; 64 128 128 131072 256 262144");
  EXPECT_EQ(parsed("step[MIXED bs=2 c=1 g=1 c_sq=5 c_sk=8 c_sqsq=25 c_sqsk=40 g_sq=1 g_sk=12 g_sqsq=1 g_sqsk=12]"),
            "mixed 2 6 -; 1 5 5 8 25 40; 1 1 1 12 1 12");
  EXPECT_EQ(parsed("step[DECODE bs=64]"), "decode 64 64 -; 0 0 0 0 0 0; 64 64 - - - -");
  EXPECT_EQ(parsed("step[MIXED bs=2]"), "mixed 2 - -; - - - - - -; - - - - - -");
}

TEST(ServingSteps, BatchesWithPadding) {
  EXPECT_EQ(parsed("decode[bs=117/128 tok=117 d=117]"), "decode 117 117 128; 0 0 0 0 0 0; 117 117 117 - - -");
  EXPECT_EQ(parsed("prefill[bs=2 tok=14721 ctx=[7803, 6918] sqsq=108745533 sqsk=108745533 sk=14721]"),
            "prefill 2 14721 -; 2 14721 14721 14721 108745533 108745533; 0 0 0 0 0 0");
  EXPECT_EQ(parsed("decode[bs=32 tok=128 d=32 spec=3 sqsq=512 sqsk=262144 sk=65536]"),
            "decode 32 128 -; 0 0 0 0 0 0; 32 128 128 65536 512 262144");
  EXPECT_EQ(parsed("decode[bs=128 tok=384 p=2 d=126 sqsq=132612 sqsk=1114112 sk=258048 tbo=1]"),
            "mixed 128 384 -; 2 - - - - -; 126 - 384 258048 132612 1114112");
}

TEST(ServingSteps, Images) {
  const auto step = parse_serving_step("execute_diffusion_4_1024x768");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->phase, ServingPhase::image);
  EXPECT_EQ(step->requests, 4);
  EXPECT_EQ(step->image_size, "1024x768");
}

TEST(ServingSteps, OtherNamesAndHugeNumbersAreNone) {
  for (const char* name :
       {"", "execute_", "execute_1_context_", "execute_context_1(2)_generation_3(4", "step[", "step]x[", "step[TRAIN bs=1]",
        "decode[]", "prefill", "execute_context_99999999999999999999(1)_generation_1(1)", "execute_diffusion_1_x"})
    EXPECT_EQ(parsed(name), "none") << name;
  EXPECT_EQ(parsed("execute_context_1(9223372036854775807)_generation_1(9223372036854775807)").substr(0, 11), "mixed 2 - -");
}

std::string steps_of(Profile& profile) {
  std::string text;
  for (Row i = 0; i < profile.steps.rows(); ++i)
    text += fmt::format("{}: {}-{}; ", profile.steps.number[i], profile.steps.start[i],
                        profile.steps.start[i] + profile.steps.duration[i]);
  return text + std::to_string(profile.serving_steps.rows());
}

// Those with sums win over the range around them; the thread with most of them has the steps.
TEST(ServingSteps, BecomeTheStepsOfAProfileWithoutSteps) {
  const auto profile = parse_text_profile(R"text(
    thread 1: 0-100 annotation "execute_context_0(0)_generation_1(1)", 10-90 annotation "decode[bs=1 tok=1 sqsk=5]", 110-150 annotation "decode[bs=1 tok=1 sqsk=6]"
    thread 2: 0-40 annotation "decode[bs=2 tok=2 sqsk=8]"
  )text");
  add_serving_steps(*profile);
  EXPECT_EQ(steps_of(*profile), "0: 10-90; 1: 110-150; 3");
  EXPECT_TRUE(check_profile(*profile).empty());
}

TEST(ServingSteps, RecordedStepsStay) {
  const auto profile = parse_text_profile(R"(thread 1: 0-100 step 5, 10-90 annotation "step[DECODE bs=1]")");
  add_serving_steps(*profile);
  EXPECT_EQ(steps_of(*profile), "5: 0-100; 1");
}

// A runner is called by a worker of the same function: the outer call is the step. Two calls are too few.
TEST(ServingSteps, AreGuessedFromTheCallsThatRunTheModel) {
  const std::string call = R"(python "worker.py(7): execute_model", 1-8 python "runner.py(9): execute_model")";
  std::string text = "thread 1: 0-9 " + call;
  const auto guessed = [&] {
    const auto profile = parse_text_profile(text);
    add_serving_steps(*profile);
    EXPECT_TRUE(check_profile(*profile).empty());
    EXPECT_EQ(profile->steps.rows(), 0u);
    std::string found;
    for (Row row = 0; row < profile->serving_steps.rows(); ++row) {
      EXPECT_TRUE(profile->serving_steps.guessed[row]);
      found += std::to_string(profile->slices.start[profile->serving_steps.slice[row]]) + " ";
    }
    return found;
  };
  text += R"(, 10-19 python "worker.py(7): execute_model")";
  EXPECT_EQ(guessed(), "");
  text += R"(, 20-29 python "worker.py(7): execute_model")";
  EXPECT_EQ(guessed(), "0 10 20 ");
}

}  // namespace
}  // namespace sightline::formats
