// Losses read from logs as text, and compared by hand.
#include "analyses/losses/loss_comparison.h"

#include <gtest/gtest.h>

#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

LossLog log_of(std::string_view text, LossTags tags = {}, std::size_t piece = 1'000'000, std::string name = "a.log") {
  LossLogReader reader(std::move(name), std::move(tags));
  for (std::size_t at = 0; at < text.size(); at += piece) reader.add(text.substr(at, piece));
  return reader.finish();
}

std::string points_text(const LossLog& log) {
  std::string text;
  for (const LossPoint& point : log.points) {
    text += (text.empty() ? "" : " ") + std::to_string(point.iteration) + "=" + cell_text(Cell{point.loss});
  }
  return text;
}

constexpr std::string_view kMegatron =
    "[rank 0] building model\n"
    " iteration        1/     100 | lm loss: 1.250000E+01 | grad norm: 2.0 |\r\n"
    " iteration        2/     100 | lm loss: 6.25E-02, |\r"
    " iteration        3/     100 | lm loss: nan |\n"
    " iteration        4/     100 | elapsed 12 |\n"
    " iteration        5/     100 | lm loss: -3";

TEST(LossLog, TakesTheNumbersAfterTheTags) {
  const LossLog log = log_of(kMegatron);
  EXPECT_EQ(points_text(log), "1=12.5 2=0.0625 3=nan 5=-3");
  EXPECT_EQ(log.lines, 6);
  EXPECT_EQ(log.lines_with_one_tag, 1);
}

TEST(LossLog, OtherTags) {
  const LossLog log =
      log_of("{'train_loss': 2.5, 'step'=10}\nstep: 11, train_loss: 2.25\n", {.loss = "train_loss", .iteration = "step"});
  EXPECT_EQ(points_text(log), "11=2.25");  // of the first line the word after train_loss is "':"
  EXPECT_EQ(log.lines_with_one_tag, 1);
}

// Pieces end anywhere: in a number, between CR and LF.
TEST(LossLog, IsTheSameInPiecesOfAnySize) {
  const LossLog whole = log_of(kMegatron);
  for (std::size_t piece = 1; piece < 100; ++piece) {
    const LossLog log = log_of(kMegatron, {}, piece);
    EXPECT_EQ(points_text(log), points_text(whole)) << piece;
    EXPECT_EQ(log.lines_with_one_tag, whole.lines_with_one_tag) << piece;
  }
}

TEST(LossLog, NumbersWithoutALeadingZero) {
  EXPECT_EQ(points_text(log_of("iteration 1 loss: -.5\niteration 2 loss=.25,\n", {.loss = "loss"})), "1=-0.5 2=0.25");
}

TEST(LossLog, NumbersBeyondTheirTypes) {
  EXPECT_EQ(points_text(log_of("iteration 1 loss: 1e999\niteration 99999999999999999999 loss: 1\n")), "1=nan");
}

// Iterations 1 to 3 are in both. Differences: 1 − 2 = −1, 4 − 2 = 2, 1 − 0 = 1. Absolute: 1, 2, 1; mean 4/3. Relative: 1/2,
// 2/2, and unknown where the base is 0; mean 3/4.
TEST(LossComparison, ByHand) {
  const LossLog base = log_of("iteration 1 loss: 2\niteration 2 loss: 2\niteration 3 loss: 0\niteration 9 loss: 7\n");
  const LossLog compared =
      log_of("iteration 1 loss: 5\niteration 1 loss: 1\niteration 2 loss: 4\niteration 3 loss: 1\n", {}, 1'000'000, "b.log");
  const std::vector<LossLog> logs{base, compared};
  const Result<Report> report = loss_report(logs);
  ASSERT_TRUE(report);
  EXPECT_EQ(rows_text(*report, "losses", {"iteration", "log_1", "log_2"}), "1 2 1\n2 2 4\n3 0 1\n9 7 -\n");
  EXPECT_EQ(rows_text(*report, "differences", {"iteration", "base", "compared", "difference", "absolute", "relative"}),
            "1 2 1 -1 1 0.5\n2 2 4 2 2 1\n3 0 1 1 1 -\n");
  EXPECT_EQ(rows_text(*report, "logs", {"log", "points", "iterations", "first", "last", "last_loss", "least_loss"}),
            "a.log 4 4 1 9 7 0\nb.log 4 3 1 3 1 1\n");
  std::string facts;
  for (const Fact& fact : panel_facts(report->panels[0])) facts += fact.label + ": " + cell_text(fact.value) + "\n";
  EXPECT_EQ(facts,
            "Iterations compared: 3\nMean difference: 0.666667\nMean absolute error: 1.333333\nMean relative error: 0.75\n"
            "Largest absolute error: 2\nIteration of the largest error: 2\n");
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_EQ(report->notes[0].text, "b.log has iterations more than once; the last line counts.");
}

TEST(LossComparison, ALogComparedWithItselfHasNoDifference) {
  const LossLog log = log_of(kMegatron);
  const std::vector<LossLog> logs{log, log};
  const Result<Report> report = loss_report(logs);
  ASSERT_TRUE(report);
  EXPECT_EQ(rows_text(*report, "differences", {"iteration", "difference", "absolute", "relative"}),
            "1 0 0 0\n2 0 0 0\n5 0 0 0\n");
}

TEST(LossComparison, ReportsWhatItCannotCompare) {
  const std::vector<LossLog> nothing{log_of("no loss here\n")};
  const Result<Report> report = loss_report(nothing);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_EQ(report->notes[0].text, "a.log: none of 1 line has both tags, each followed by a number. Check the tags.");
  EXPECT_FALSE(loss_report({}));
  EXPECT_FALSE(loss_report(std::vector<LossLog>(7, log_of(kMegatron))));
  EXPECT_FALSE(loss_report(std::vector<LossLog>(2, log_of(kMegatron)), 0, 2));
}

}  // namespace
}  // namespace sightline::analyses
