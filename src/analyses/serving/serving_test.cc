// The view Serving on steps worked by hand.
#include <gtest/gtest.h>

#include "analyses/percentile.h"
#include "analyses/serving/layers.h"
#include "analyses/serving/served_steps.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// Step 0 is 0-30 on the host; its work runs 20-50, so it ends at 50. Step 1 begins on the host at 40, but its window at 50, and
// ends with its work at 90: 10 ns of attention, at the end of which a product runs beside it, 15 of the product alone, 10 of a
// copy; the first 5 ns no device works. Step 2 is 100-130: a gap of 10, and a bubble from 90 to 110.
constexpr const char* kThree = R"(
  thread 1: 0-30 step 0, 5-10 runtime l [corr=1], 40-60 step 1, 41-42 op my::attention, 41-42 runtime l [corr=2], 44-45 op aten::mm, 44-45 runtime l [corr=3], 50-51 runtime l [corr=4], 100-130 step 2, 101-102 runtime l [corr=5]
  stream 7: 20-50 gemm [corr=1], 55-65 fwd [corr=2], 80-90 memcpy HtoD [corr=4], 110-130 softmax_sampler [corr=5]
  stream 8: 60-80 other [corr=3]
  row serving_steps [slice=0 phase=2 requests=4 tokens=4 padded_batch=8 decode_requests=4 decode_tokens=4]
  row serving_steps [slice=2 phase=2 requests=4 tokens=4 padded_batch=4 decode_requests=4 decode_tokens=8]
  row serving_steps [slice=8 phase=3 requests=5 tokens=20 decode_requests=4 decode_tokens=4])";

TEST(Serving, StepsByHand) {
  const Report report = run_view(text_profile(kThree), "serving", {{"range", "all"}});
  EXPECT_EQ(
      rows_text(report, "served", {"number", "phase", "requests", "tokens", "time", "host", "gap", "bubble", "work", "padding"}),
      "0 Decode 4 4 50 20 - - 1 0.5\n"
      "1 Decode 4 4 40 5 0 5 3 0\n"
      "2 Mixed 5 20 30 10 10 20 1 -\n");
  EXPECT_EQ(rows_text(report, "served", {"attention", "products", "sampling", "copies"}), "0 30 0 0\n10 15 0 10\n0 0 20 0\n");
}

// (end - end of the step before) * requests / tokens: 40 * 4 / 8 and 40 * 4 / 4. 28 tokens in 130 ns.
TEST(Serving, FactsByHand) {
  const Report report = run_view(text_profile(kThree), "serving", {{"range", "all"}});
  std::string text;
  for (const Fact& fact : panel_facts(report.panels.front()))
    text += std::string(fact.label) + " " + cell_text(fact.value) + "\n";
  EXPECT_EQ(text,
            "Steps 3\nTokens per second 215384615.384615\nGenerated tokens per second 123076923.076923\n"
            "Time per output token, p50 20\nTime per output token, p90 40\nTime per output token, p99 40\n"
            "Device busy 0.653846\nBubbles between steps 0.192308\nPadding 0.333333\nDecode step -\nFloor of a decode step -\n"
            "Cost of a prefill chunk -\n");
}

TEST(Serving, BatchesAndPhases) {
  const Report report = run_view(text_profile(kThree), "serving", {{"range", "all"}});
  EXPECT_EQ(rows_text(report, "phases", {"phase", "steps", "time_p50", "time_p90", "per_token", "products"}),
            "Decode 2 40 50 11.25 22.5\nMixed 1 30 30 1.5 0\n");
  EXPECT_EQ(rows_text(report, "buckets", {"batch", "steps"}), "Decode, 4 tokens 2\nMixed, 20 tokens 1\n");
}

TEST(Serving, SteadyStateIsTheLongestRunWithAboutTheMostRequests) {
  std::string text = "thread 1: ", rows;
  const int requests[] = {2, 20, 5, 19, 20, 20, 18, 19, 20, 20, 3};
  for (int i = 0; i < 11; ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(10 * i) + "-" + std::to_string(10 * i + 5) + " step " + std::to_string(i);
    rows += "\nrow serving_steps [slice=" + std::to_string(i) + " phase=2 requests=" + std::to_string(requests[i]) + "]";
  }
  const ProfilePtr profile = text_profile(text + rows);
  const std::vector<ServedStep> steps = served_steps(*profile);
  const auto steady = steady_state(*profile, steps);
  EXPECT_EQ(steady.front().step.number, 3);
  EXPECT_EQ(steady.size(), 7U);
  EXPECT_EQ(run_view(profile, "serving").scope, "steady state: 7 of 11 steps");
}

// Embedding, three layers of two pieces of work each, and the head: 2 + 3 * (10 + 4) + 8 = 52 ns.
TEST(Serving, LayersAreWhatRepeats) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-10 step 0, 1-2 runtime l [corr=1]
    stream 7: 20-22 embed [corr=1], 30-40 gemm [corr=1], 41-45 norm [corr=1], 50-60 gemm [corr=1], 61-65 norm [corr=1], 70-80 gemm [corr=1], 81-85 norm [corr=1], 90-98 head [corr=1]
    row serving_steps [slice=0 phase=2 requests=4])"),
                                 "serving");
  EXPECT_EQ(
      rows_text(report, "layers", {"name", "place", "count", "mean", "time", "share"}),
      "gemm 1 3 10 30 0.576923\nnorm 2 3 4 12 0.230769\nbefore the layers - 1 2 2 0.038462\nafter the layers - 1 8 8 0.153846\n");
}

TEST(Serving, RepeatedNamesAreTheShortestUnitThatCoversMost) {
  StringPool pool;
  const auto names = [&](std::string_view text) {
    std::vector<StringId> ids;
    for (const char& letter : text) ids.push_back(pool.intern({&letter, 1}));
    return ids;
  };
  const auto found = repeated_names(names("xxabcabcabcabcyy"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->first, 2u);
  EXPECT_EQ(found->length, 3u);
  EXPECT_EQ(found->repeats, 4u);
  EXPECT_FALSE(repeated_names(names("abab")).has_value());
  EXPECT_FALSE(repeated_names(names("abcdefghijk")).has_value());
}

TEST(Serving, PercentilesAreValuesThatOccur) {
  EXPECT_EQ(percentile({4, 1, 3, 2}, 0.5), 2);
  EXPECT_EQ(percentile({4, 1, 3, 2}, 0.9), 4);
  EXPECT_EQ(percentile({7}, 0.99), 7);
  EXPECT_TRUE(std::isnan(percentile({}, 0.5)));
}

TEST(Serving, IsUnavailableWithoutStepsOfAnEngine) {
  EXPECT_TRUE(find_analysis("serving")->unavailable(*text_profile("thread 1: 0-10 step 1")));
}

}  // namespace
}  // namespace sightline::analyses
