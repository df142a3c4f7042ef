// How alike profiles are, and which one is proposed.
#include "analyses/diff/similar_profiles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

RankSummary rank_of(const char* text) { return summarise_rank(*text_profile(text), "w"); }

TEST(SimilarProfiles, PartsAndTheirWeights) {
  // Operators: mm of mm, relu, gelu: 1/3. Steps: 1 of 2.
  const RankSummary before = rank_of("thread 1: 0-100 step 1, 10-20 op mm, 30-40 op relu"),
                    after = rank_of("thread 1: 0-50 step 1, 10-20 op mm, 60-100 step 2, 70-80 op gelu, 80-81 op mm");
  const Likeness like = likeness_of(before, after);
  EXPECT_DOUBLE_EQ(like.operators, 1.0 / 3);
  EXPECT_DOUBLE_EQ(like.steps, 0.5);
  EXPECT_TRUE(std::isnan(like.devices) && std::isnan(like.world));
  // What is unknown does not count: (0.5 / 3 + 0.15 / 2) / (0.5 + 0.15).
  EXPECT_DOUBLE_EQ(like.share, (0.5 / 3 + 0.075) / 0.65);
  EXPECT_DOUBLE_EQ(likeness_of(before, before).share, 1);
}

TEST(SimilarProfiles, DevicesAndWorldSize) {
  RankSummary one, other;
  one.devices = {{.ordinal = 0, .name = "A"}, {.ordinal = 1, .name = "A"}};
  other.devices = {{.ordinal = 3, .name = "A"}, {.ordinal = 5, .name = "A"}};
  one.world_size = 8;
  EXPECT_EQ(likeness_of(one, other).share, 1);  // the world size of one alone does not count
  other.world_size = 4;
  EXPECT_DOUBLE_EQ(likeness_of(one, other).share, 0.2 / 0.35);
  other.devices.pop_back();
  EXPECT_EQ(likeness_of(one, other).share, 0);
  EXPECT_TRUE(std::isnan(likeness_of({}, {}).share));
  EXPECT_EQ(likeness_of({}, one).devices, 0);  // only one of the two has device activity
}

TEST(SimilarProfiles, AnotherRankOfTheSameJobComesAfterAnAlikeRun) {
  const RankSummary mm = rank_of("thread 1: 0-10 op mm, 10-20 op relu"),
                    most = rank_of("thread 1: 0-10 op mm, 10-20 op gelu, 20-30 op relu"),
                    none = rank_of("thread 1: 0-10 op conv");
  const ProfileSketch baseline{{"a", "rank0", "1"}, &mm};
  const std::vector<ProfileSketch> others{
      {{"c", "rank0", "1"}, &none}, {{"a", "rank1", "1"}, &mm}, {{"b", "rank0", "1"}, &most}, {{"a", "rank0", "2"}, &mm}};
  EXPECT_EQ(by_likeness(baseline, others), (std::vector<std::size_t>{3, 2, 1, 0}));

  const Report report = proposal("diff", "Diff", baseline, others, 2);
  const Advice& best = report.panels.front().as<AdviceList>()->items.front();
  EXPECT_EQ(best.title, "Most alike: a / rank0 / 2");
  EXPECT_EQ(best.evidence, "100.0% of their operators are the same.");
  EXPECT_EQ(best.link_parameters, (LinkParameters{{"other_run", "a"}, {"other_worker", "rank0"}, {"other_span", "2"}}));
  EXPECT_EQ(rows_text(report, "profiles", {"run", "worker", "span", "share"}),
            "a rank0 2 1\nb rank0 1 0.666667\na rank1 1 1\nc rank0 1 0\n");
  EXPECT_EQ(report.notes.at(0).text, "2 profiles are not listed: still being read, or unreadable.");
}

TEST(SimilarProfiles, OnlyOneHasDeviceActivity) {
  RankSummary before, after;
  before.devices = {{.ordinal = 0, .name = "A"}};
  const std::vector<ProfileSketch> others{{{"b", "w", "1"}, &after}};
  const Report report = proposal("diff", "Diff", {{"a", "w", "1"}, &before}, others, 0);
  EXPECT_EQ(report.panels.front().as<AdviceList>()->items.front().evidence, "Only the baseline has device activity.");
}

TEST(SimilarProfiles, TheReasonsNameWhatDiffers) {
  RankSummary before = rank_of("thread 1: 0-100 step 1, 10-20 op mm"), after = before;
  before.world_size = 8, after.world_size = 1;
  after.steps.push_back(after.steps.front());
  before.devices = {{.ordinal = 0, .name = "A"}}, after.devices = {{.ordinal = 0, .name = "B"}};
  const std::vector<ProfileSketch> others{{{"b", "w", "1"}, &after}};
  const Report report = proposal("diff", "Diff", {{"a", "w", "1"}, &before}, others, 0);
  const Advice& best = report.panels.front().as<AdviceList>()->items.front();
  EXPECT_EQ(best.title, "Most alike: b");
  EXPECT_EQ(best.evidence,
            "100.0% of their operators are the same. It ran on B, the baseline on A. It has 1 rank, the baseline 8. It has 2 "
            "steps, the baseline 1.");
}

}  // namespace
}  // namespace sightline::analyses
