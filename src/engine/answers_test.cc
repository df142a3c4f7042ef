// Answers on a catalogue and a loader, without an engine.
#include "engine/answers.h"

#include <gtest/gtest.h>

#include "engine/fake_reader_test.h"

namespace sightline::engine {

namespace {

class AnswersTest : public testing::Test {
 protected:
  void load(const std::string& path) {
    const Result<Catalogue::Added> added = catalogue.add_path(path);
    ASSERT_TRUE(added.ok());
    loader.queue(added->captures, catalogue.all());
    loader.start();
    loader.wait();
  }

  // The report's scope, or the error.
  std::string answer(const ProfileSelector& selector, std::string_view view, const ParameterTexts& given = {}) const {
    const Result<Report> report = answers.report({selector, std::string(view), given});
    return report ? std::string(report->scope)
                  : std::string(error_code_name(report.error().code)) + ": " + report.error().message;
  }

  TemporaryTree tree;
  const EngineOptions options = fake_options();
  Catalogue catalogue{options};
  Loader loader{options};
  Answers answers{catalogue, loader, options};
};

TEST_F(AnswersTest, AnUnknownNameIsAnErrorThatListsTheKnownNames) {
  tree.write("r1/w.fake", "fake ok");
  tree.write("r2/x.5.fake", "fake ok");
  load(tree.root());
  EXPECT_EQ(answer({}, "one"), "w.fake default");
  EXPECT_EQ(answer({.run = "r2"}, "one", {{"word", "given"}}), "x.5.fake given");
  EXPECT_EQ(answer({.worker = "x"}, "one"), "x.5.fake default");
  EXPECT_EQ(answer({.run = "r3"}, "one"), "not_found: no run 'r3'; available: r1, r2");
  EXPECT_EQ(answer({.run = "r1", .worker = "x"}, "one"), "not_found: no worker 'x'; available: w");
  EXPECT_EQ(answer({.worker = "x", .span = "2"}, "one"), "not_found: no span '2'; available: 1");
  EXPECT_EQ(answer({}, "three"), "not_found: no view 'three'; available: one, all, two, hidden, never");
  EXPECT_EQ(answer({}, "one", {{"wort", "x"}}).substr(0, 16), "invalid_argument");
  EXPECT_EQ(answer({}, "never"), "unsupported: Title: recorded without it");
}

TEST_F(AnswersTest, AViewAcrossRanksHasAllWorkersOfTheSpanAndNotesTheMissingOnes) {
  tree.write("r/w1.1.fake", "fake ok");
  tree.write("r/w1.2.fake", "fake ok");
  tree.write("r/w2.7.fake", "fake ok");
  tree.write("r/w3.9.fake", "fake bad");
  load(tree.path("r"));
  EXPECT_EQ(answer({.span = "1"}, "all"), "w1 w2 default");
  EXPECT_EQ(answer({.span = "2"}, "all"), "w1 default");
  const Result<Report> report = answers.report({{.span = "1"}, "all"});
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_EQ(report->notes[0].text.substr(0, 43), "without worker w3, which could not be read:");
}

TEST_F(AnswersTest, AComparisonHasTheBaselineAndTheOtherProfile) {
  tree.write("a/w1.1.fake", "fake ok");
  tree.write("a/w1.2.fake", "fake ok");
  tree.write("b/w1.3.fake", "fake ok");
  tree.write("b/w2.5.fake", "fake bad");
  load(tree.root());
  const auto compared = [&](const ProfileSelector& profile, const ProfileSelector& other) {
    const Result<Report> report = answers.report({.profile = profile, .view = "two", .other = other});
    return report ? report->scope : report.error().message;
  };
  EXPECT_EQ(compared({}, {}), "w1.1.fake w1.2.fake default");                       // the one after it
  EXPECT_EQ(compared({.run = "b"}, {.run = "a"}), "w1.3.fake w1.1.fake default");   // the same worker and span
  EXPECT_EQ(compared({.span = "2"}, {.run = "b"}), "w1.2.fake w1.3.fake default");  // no such span: the first
  EXPECT_EQ(compared({}, {.run = "a", .worker = "w1", .span = "1"}), "w1.1.fake w1.1.fake default");
  EXPECT_EQ(compared({}, {.run = "b", .worker = "w2"}), "not fake enough");
  EXPECT_EQ(compared({}, {.run = "c"}), "no run 'c'; available: a, b");
}

TEST_F(AnswersTest, AComparisonWithoutAnOtherProfileIsProposedWhereThatIsWanted) {
  tree.write("a/w1.1.fake", "fake ok");
  tree.write("a/w1.2.fake", "fake ok");
  tree.write("b/w1.3.fake", "fake ok");
  tree.write("b/w2.5.fake", "fake bad");
  load(tree.root());
  const Question question{.view = "two", .propose = true};
  const Result<KeptReportPtr> kept = answers.kept_report(question);
  ASSERT_TRUE(kept.ok());
  const Report& report = (*kept)->report();
  EXPECT_EQ(report.view, "two");
  EXPECT_TRUE(report.profiles.empty());
  EXPECT_EQ(report.find_table("profiles")->rows(), 2u);  // without the one that cannot be read
  EXPECT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(*kept, *answers.kept_report(question));
  EXPECT_EQ(answers.report(question)->find_table("profiles")->rows(), 2u);
  Question chosen = question;
  chosen.other.run = "b";
  EXPECT_EQ(answers.report(chosen)->scope, "w1.1.fake w1.3.fake default");
}

TEST_F(AnswersTest, OneProfileAloneHasNoComparison) {
  tree.write("a/w1.1.fake", "fake ok");
  load(tree.root());
  EXPECT_EQ(answers.report({.view = "two", .propose = true}).error().code, ErrorCode::unsupported);
}

TEST_F(AnswersTest, AReportHasTheParametersOfItsQuestion) {
  tree.write("r/w.fake", "fake ok");
  load(tree.path("r"));
  const Result<Report> report = answers.report({{}, "one", {{"word", "given"}}});
  ASSERT_EQ(report->parameters.size(), 1u);
  EXPECT_EQ(report->parameters[0].value, "given");
}

TEST_F(AnswersTest, AKeptReportIsMadeOnce) {
  tree.write("r/w.fake", "fake ok");
  load(tree.path("r"));
  const Result<KeptReportPtr> first = answers.kept_report({{}, "one"}), second = answers.kept_report({{}, "one"});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_NE(*first, *answers.kept_report({{}, "one", {{"word", "other"}}}));
}

TEST_F(AnswersTest, AProfileIsFoundByTheNameOfItsContent) {
  tree.write("r/w1.fake", "fake ok 1");
  tree.write("r/w2.fake", "fake ok 2");
  load(tree.path("r"));
  const Result<std::string> name = answers.name_of({.worker = "w2"});
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(answers.named(*name)->worker, "w2");
  EXPECT_FALSE(answers.named("n_0").has_value());
}

TEST_F(AnswersTest, WhatIsNotLoadedIsUnavailable) {
  tree.write("r/w.fake", "fake ok");
  ASSERT_TRUE(catalogue.add_path(tree.path("r")).ok());
  EXPECT_EQ(answer({}, "one"), "unavailable: still loading");
}

}  // namespace
}  // namespace sightline::engine
