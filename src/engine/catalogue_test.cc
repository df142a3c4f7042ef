// The catalogue alone: nothing is read here.
#include "engine/catalogue.h"

#include <gtest/gtest.h>

#include "engine/fake_reader_test.h"

namespace sightline::engine {

namespace {

class CatalogueTest : public testing::Test {
 protected:
  // "run/worker/span file" of every capture.
  std::vector<std::string> captures() const {
    std::vector<std::string> all;
    for (const CaptureState& c : catalogue.state()) all.push_back(c.run + "/" + c.worker + "/" + c.span + " " + c.file);
    return all;
  }

  using Captures = std::vector<std::string>;
  TemporaryTree tree;
  Catalogue catalogue{fake_options()};
};

TEST_F(CatalogueTest, AFileThatIsGivenTwiceIsThereOnce) {
  tree.write("run/a.1.fake", "fake ok");
  tree.write("run/a.2.fake", "fake ok");
  EXPECT_EQ(catalogue.add_path(tree.path("run/a.2.fake"))->captures.size(), 1u);
  const Result<Catalogue::Added> added = catalogue.add_path(tree.path("run"));
  EXPECT_EQ(added->found, 2u);
  EXPECT_EQ(added->captures.size(), 1u);
  EXPECT_EQ(captures(), (Captures{"run/a/1 a.1.fake", "run/a/2 a.2.fake"}));
}

TEST_F(CatalogueTest, RunsOfTheSameNameGetDifferentNames) {
  tree.write("a/run/w.fake", "fake ok");
  tree.write("b/run/w.fake", "fake ok");
  ASSERT_TRUE(catalogue.add_path(tree.path("a/run")).ok());
  ASSERT_TRUE(catalogue.add_path(tree.path("b/run")).ok());
  EXPECT_EQ(captures(), (Captures{"b/run/w/default w.fake", "run/w/default w.fake"}));
}

TEST_F(CatalogueTest, ARunHasTheNameThatTheUserGaveIt) {
  tree.write("run/w.fake", "fake ok");
  ASSERT_TRUE(catalogue.add_path(tree.path("run"), "mine").ok());
  EXPECT_EQ(captures(), Captures{"mine/w/default w.fake"});
}

TEST_F(CatalogueTest, KeptNamesStayAndLaterOnesAreNumberedOn) {
  tree.write("run/w.5.fake", "fake ok");
  ASSERT_TRUE(catalogue.add_path(tree.root()).ok());
  tree.write("run/w.4.fake", "fake ok");
  EXPECT_EQ(catalogue.look_again(tree.root()).size(), 1u);
  EXPECT_EQ(captures(), (Captures{"run/w/1 run/w.4.fake", "run/w/2 run/w.5.fake"}));
  catalogue.keep_names();
  tree.write("run/w.3.fake", "fake ok");
  EXPECT_EQ(catalogue.look_again(tree.root()).size(), 1u);
  EXPECT_EQ(captures(), (Captures{"run/w/1 run/w.4.fake", "run/w/2 run/w.5.fake", "run/w/3 run/w.3.fake"}));
}

TEST_F(CatalogueTest, AFurtherReadingTakesThePlaceOfTheOneBefore) {
  tree.write("run/w.fake", "fake ok");
  const CapturePtr before = catalogue.add_path(tree.root())->captures.front();
  const auto again = std::make_shared<Capture>(before);
  again->set_failed({ErrorCode::malformed, "not fake enough", ""});
  catalogue.replace(again);
  EXPECT_EQ(catalogue.all(), std::vector{before});
  EXPECT_NE(before->state().note.find("could not be read again"), std::string::npos);
  const auto third = std::make_shared<Capture>(before);
  third->set_ready(std::make_shared<LoadedProfile>(std::make_unique<Profile>()), {});
  catalogue.replace(third);
  EXPECT_EQ(catalogue.all(), std::vector{third});
  EXPECT_EQ(captures(), Captures{"run/w/default run/w.fake"});
  catalogue.remove(third);
  EXPECT_EQ(catalogue.find({}).error().message, "no profile was given");
}

TEST_F(CatalogueTest, APathWithoutProfilesIsAnErrorAndIsRemembered) {
  EXPECT_EQ(catalogue.add_path(tree.path("none")).error().code, ErrorCode::not_found);
  EXPECT_EQ(catalogue.paths(), std::vector{tree.path("none")});
}

TEST_F(CatalogueTest, AViewNeedsWhatItsScopeSays) {
  tree.write("r/w1.1.fake", "fake ok");
  tree.write("r/w2.1.fake", "fake ok");
  ASSERT_TRUE(catalogue.add_path(tree.root()).ok());
  const auto files = [&](std::size_t view) {
    std::string text;
    const Result<FoundCaptures> found = catalogue.find_for(fake_analyses()[view], {.worker = "w2"}, {});
    for (const CapturePtr& each : found->all) text += each->file + " ";
    return text;
  };
  EXPECT_EQ(files(0), "r/w2.1.fake ");
  EXPECT_EQ(files(1), "r/w1.1.fake r/w2.1.fake ");
  EXPECT_EQ(files(2), "r/w2.1.fake r/w1.1.fake ");
}

}  // namespace
}  // namespace sightline::engine
