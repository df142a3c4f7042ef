// The catalogue alone: nothing is read here.
#include <gtest/gtest.h>

#include "engine/catalogue.h"
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

TEST_F(CatalogueTest, AFolderOfASecondRoleMakesBothRolesOfOneRun) {
  tree.write("job/actor/w.fake", "fake ok");
  ASSERT_TRUE(catalogue.add_path(tree.root()).ok());
  EXPECT_EQ(captures(), Captures{"job/actor/w/default job/actor/w.fake"});
  tree.write("job/critic/w.fake", "fake ok");
  EXPECT_EQ(catalogue.look_again(tree.root()).size(), 2u);
  const Captures both = {"job/actor w/default job/actor/w.fake", "job/critic w/default job/critic/w.fake"};
  EXPECT_EQ(captures(), both);
  EXPECT_EQ(catalogue.look_again(tree.root()).size(), 0u);
  // As a path of its own, the folder is no role; the file stays where it is.
  EXPECT_EQ(catalogue.add_path(tree.path("job/actor"))->captures.size(), 0u);
  EXPECT_EQ(captures(), both);
}

TEST_F(CatalogueTest, AFurtherReadingTakesThePlaceOfTheOneBefore) {
  tree.write("run/w.fake", "fake ok");
  const CapturePtr before = catalogue.add_path(tree.root())->captures.front();
  const auto again = std::make_shared<Capture>(before);
  again->set_failed({ErrorCode::malformed, "not fake enough", ""});
  catalogue.replace(again);
  EXPECT_EQ(catalogue.all(), std::vector{before});
  EXPECT_NE(before->state().note.find("cannot be read"), std::string::npos);
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

// ---- names ----

namespace {

// "run/worker/span" of places given as {run, worker, stamp, file}, in their order.
std::vector<std::string> named(std::vector<Place>& places) {
  std::vector<Place*> pointers;
  for (Place& place : places) pointers.push_back(&place);
  name_spans(pointers);
  std::vector<std::string> names;
  for (const Place* place : pointers) names.push_back(place->run + "/" + place->worker + "/" + place->span);
  return names;
}

Place place(std::string run, std::string worker, std::string stamp, std::string file) {
  return {.run = std::move(run),
          .worker = std::move(worker),
          .span = "",
          .stamp = std::move(stamp),
          .file = std::move(file),
          .note = ""};
}

using Names = std::vector<std::string>;

TEST(SpanNames, StampsAreNumberedByValue) {
  std::vector<Place> places{place("r", "rank10", "5", "a"), place("r", "rank2", "1000", "b"), place("r", "rank2", "999", "c"),
                            place("r", "rank2", "", "d")};
  EXPECT_EQ(named(places), (Names{"r/rank2/default", "r/rank2/1", "r/rank2/2", "r/rank10/1"}));
  EXPECT_EQ(places[2].span, "1");
}

TEST(SpanNames, StampsThatAreNotNumbersAreOrderedAsText) {
  std::vector<Place> places{place("r", "w", "b10", "1"), place("r", "w", "b9", "2"), place("r", "w", "7", "3")};
  named(places);
  EXPECT_EQ(places[2].span, "1");
  EXPECT_EQ(places[0].span, "2");
  EXPECT_EQ(places[1].span, "3");
}

TEST(SpanNames, SessionsHaveOneNumberInAllWorkers) {
  // One host was not there in the first session; a third session is found when the others have been seen, and then an earlier
  // one.
  std::vector<Place> places{place("r", "a", "2026_02_01", "1"), place("r", "b", "2026_01_01", "2"),
                            place("r", "b", "2026_02_01", "3"), place("s", "a", "2026_02_01", "4")};
  EXPECT_EQ(named(places), (Names{"r/a/2", "r/b/1", "r/b/2", "s/a/1"}));
  for (Place& seen : places) seen.kept = true;
  places.push_back(place("r", "a", "2026_03_01", "5"));
  places.push_back(place("r", "b", "2025_12_01", "6"));
  places.push_back(place("r", "b", "2026_03_01", "7"));
  EXPECT_EQ(named(places), (Names{"r/a/2", "r/a/4", "r/b/1", "r/b/2", "r/b/3", "r/b/4", "s/a/1"}));
}

TEST(SpanNames, RanksWithOneWorkerNameAreSeparateWorkers) {
  const auto of_rank = [](std::int64_t rank, std::string stamp, std::string file) {
    Place made = place("r", "w", std::move(stamp), std::move(file));
    made.rank = rank;
    return made;
  };
  std::vector<Place> places{of_rank(0, "100", "a"), of_rank(0, "300", "b"), of_rank(1, "101", "c"), place("r", "w", "5", "d")};
  EXPECT_EQ(named(places), (Names{"r/w/1", "r/w rank 0/1", "r/w rank 0/2", "r/w rank 1/1"}));
  places.push_back(of_rank(2, "90", "e"));
  EXPECT_EQ(named(places), (Names{"r/w/1", "r/w rank 0/1", "r/w rank 0/2", "r/w rank 1/1", "r/w rank 2/1"}));
  std::vector<Place> alone{of_rank(0, "1", "a"), of_rank(0, "2", "b")};
  EXPECT_EQ(named(alone), (Names{"r/w/1", "r/w/2"})) << "spans of one rank";
  alone[0].kept = alone[1].kept = true;
  alone.push_back(of_rank(1, "1", "c"));
  EXPECT_EQ(named(alone), (Names{"r/w/1", "r/w/2", "r/w rank 1/1"})) << "a name that was seen is kept";
}

TEST(SpanNames, TwoFilesOfOnePlaceAreBothKept) {
  std::vector<Place> places{place("r", "w", "5", "w.5.json.gz"), place("r", "w", "5", "w.5.json"),
                            place("r", "w", "6", "w.6.json")};
  EXPECT_EQ(named(places), (Names{"r/w/1", "r/w/1 (2)", "r/w/2"}));
  EXPECT_EQ(places[1].note, "");
  EXPECT_EQ(places[0].note, "w.5.json.gz has the same worker and time as w.5.json and is shown as span 1 (2)");
}

TEST(SpanNames, AKeptNameStaysAndLaterSpansFollowIt) {
  std::vector<Place> places{place("r", "w", "5", "w.5"), place("r", "w", "7", "w.7")};
  named(places);
  for (Place& seen : places) seen.kept = true;
  places.push_back(place("r", "w", "6", "w.6"));  // earlier than one that has its name
  places.push_back(place("r", "w", "9", "w.9"));
  places.push_back(place("r", "w", "8", "w.8"));
  places.push_back(place("r", "w", "7", "w.7.gz"));
  EXPECT_EQ(named(places), (Names{"r/w/1", "r/w/2", "r/w/3", "r/w/2 (2)", "r/w/4", "r/w/5"}));
  EXPECT_EQ(places[2].span + places[4].span + places[3].span, "345");
  for (Place& seen : places) seen.kept = true;
  std::swap(places[1], places.back());  // 7: the first of that name goes
  places.pop_back();
  places.push_back(place("r", "w", "10", "w.10"));
  EXPECT_EQ(named(places), (Names{"r/w/1", "r/w/3", "r/w/2 (2)", "r/w/4", "r/w/5", "r/w/6"}));
}

TEST(RunNames, EveryDirectoryHasItsOwnName) {
  RunNames names;
  EXPECT_EQ(names.name_of("/a/run", "run"), "run");
  EXPECT_EQ(names.name_of("/b/run", "run"), "b/run");
  EXPECT_EQ(names.name_of("/a/run", "other"), "run");
  EXPECT_EQ(names.name_of("/b/x/b/run", "b/run"), "x/b/run");
}

}  // namespace

}  // namespace sightline::engine
