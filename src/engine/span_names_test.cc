#include "engine/span_names.h"

#include <gtest/gtest.h>

namespace sightline::engine {

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
