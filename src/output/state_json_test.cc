#include "output/state_json.h"

#include <gtest/gtest.h>

#include "engine/fake_reader_test.h"

namespace sightline::output {

namespace {

TEST(StateJson, HoldsViewsRunsAndWhatIsKnownOfEach) {
  TemporaryTree tree;
  tree.write("r/w1.fake", "fake ok 1234");
  Engine engine({.threads = 2, .readers = fake_readers(), .analyses = fake_analyses()});
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  EXPECT_EQ(state_json(engine, "1.2"),
            R"({"version":"1.2","wire":1,"loading":false,"watching":[],"views":[)"
            R"({"id":"one","title":"Title","group":"Where did time go","doc":"Doc.","scope":"profile","parameters":["word"]},)"
            R"({"id":"never","title":"Title","group":"Memory","doc":"Doc.","scope":"profile","parameters":["word"]},)"
            R"({"id":"all","title":"Title","group":"Across ranks","doc":"Doc.","scope":"ranks","parameters":["word"]},)"
            R"({"id":"two","title":"Title","group":"Compare","doc":"Doc.","scope":"pair","parameters":["word"]}],)"
            R"("details":["hidden"],)"
            R"("runs":[{"name":"r","workers":[{"name":"w1","spans":[{"name":"default","status":"queued",)"
            R"("file":"w1.fake","stage":"queued","bytes_done":0,"bytes_total":12,"events":0,"readings":1,)"
            R"("megabytes_per_second":0,"seconds":0,"error":null,"problems":0,"caution":"","facts":[],"views":{}}]}]}]})");
  engine.start();
  engine.loader().wait();
  const std::string ready = state_json(engine, "1.2");
  EXPECT_NE(ready.find(R"("status":"ready")"), std::string::npos);
  EXPECT_NE(ready.find(R"({"label":"events","text":"1,234"})"), std::string::npos);
  EXPECT_NE(
      ready.find(
          R"("views":{"one":null,"all":null,"two":"there is only one profile; a comparison needs two","never":"recorded without it"})"),
      std::string::npos);
}

}  // namespace
}  // namespace sightline::output
